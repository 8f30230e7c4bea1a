import { cell, figures, moment, shortId, staffPage, table, tag } from './blocks.ts';
import type { Block, FormBlock, StaffPage } from './every-page.ts';
import type { StaffPageContext } from './layout.ts';
import { type CenterNames, centerName } from './submission-list.ts';

/** Who is called when people withdraw, and how much waits for them. */
export interface ReceiverState {
  readonly id: string;
  readonly center: string;
  /** Its path may be a secret. */
  readonly host: string;
  readonly waiting: number;
  readonly held: number;
  readonly oldestAt: number | undefined;
  readonly stoppedAt: number | undefined;
  readonly problem: string | undefined;
}

export interface ReceiversPageInput {
  readonly receivers: readonly ReceiverState[];
  readonly centers: CenterNames;
  readonly token: string;
  /** No more events are counted. */
  readonly most: number;
  /** The id of the one that was just sent to again. */
  readonly sentTo: string | undefined;
}

/** Receivers of events: what waits for each of them, and sending it again. */
export function buildReceiversPage(pageContext: StaffPageContext, input: ReceiversPageInput): StaffPage {
  const names = namesOf(input);
  const sentTo = names.get(input.sentTo ?? '')?.alone;
  const form = againForm(input, names);
  return staffPage(pageContext, {
    title: 'Receivers of events',
    section: 'submissions',
    lead: [
      'Systems that are called when people withdraw, and when it was read back. What cannot be sent is tried again for 3 days, then held.',
    ],
    crumbs: [{ href: '/staff/submissions', label: 'Submissions' }],
    notes:
      sentTo === undefined
        ? []
        : [
            {
              tone: 'success',
              title: `What waits for ${sentTo} is being sent again`,
              lines: ['Look again in a while: what was taken is no longer counted.'],
              receipt: undefined,
            },
          ],
    blocks: [stateTable(input, names), ...(form === undefined ? [] : [form])],
  });
}

interface Name {
  /** Beside the name of the center. */
  readonly inTable: string;
  readonly alone: string;
}

/**
 * By the id of the receiver. Those that share a host are told apart by their center, and within it by their place in
 * the centers file: the rest of an address may be a secret.
 */
function namesOf({
  receivers,
  centers,
}: Pick<ReceiversPageInput, 'receivers' | 'centers'>): ReadonlyMap<string, Name> {
  const names = new Map<string, Name>();
  for (const [host, sharing] of Map.groupBy(receivers, (receiver) => receiver.host)) {
    const byCenter = Map.groupBy(sharing, ({ center }) => center);
    for (const [center, ofCenter] of byCenter) {
      const suffix = byCenter.size > 1 ? `, ${shortId(centerName(centers, center))}` : '';
      for (const [index, { id }] of ofCenter.entries()) {
        const inTable = ofCenter.length > 1 ? `${host} (${index + 1})` : host;
        names.set(id, { inTable, alone: `${inTable}${suffix}` });
      }
    }
  }
  return names;
}

function stateTable(
  { receivers, centers, most }: ReceiversPageInput,
  names: ReadonlyMap<string, Name>,
): Block {
  const count = (value: number) =>
    value >= most ? `${figures.format(most)} or more` : figures.format(value);
  return table({
    id: 'receivers',
    caption: 'Receivers of events',
    columns: ['Receiver', 'Center', 'State', 'Events that wait', 'People held', 'Waiting since'],
    rows: receivers.map(({ id, center, waiting, held, oldestAt, ...state }) => [
      cell(names.get(id)?.inTable),
      cell(shortId(centerName(centers, center))),
      stateOf({ waiting, held, ...state }),
      cell(count(waiting)),
      cell(count(held)),
      oldestAt === undefined ? cell(undefined) : moment(oldestAt),
    ]),
    empty: 'No center calls anybody: name receivers as events in the centers file.',
  });
}

function stateOf(
  state: Pick<ReceiverState, 'waiting' | 'held' | 'stoppedAt' | 'problem'>,
): ReturnType<typeof tag> {
  const why = state.problem === undefined ? undefined : inWords(state.problem);
  if (state.stoppedAt !== undefined)
    return cell('Stopped', { tone: 'problem', more: 'It answered that it wants no more (410).' });
  if (state.held > 0) return cell('Held', { tone: 'problem', more: why });
  if (why !== undefined) return cell('Failing', { tone: 'warning', more: why });
  return tag(state.waiting > 0 ? 'Sending' : 'Up to date', 'success');
}

/** `status-` and a number is what it answered. */
function inWords(problem: string): string {
  const [, status] = /^status-(\d+)$/.exec(problem) ?? [];
  return status === undefined ? (problems[problem] ?? problem) : `It answered ${status}.`;
}

const problems: Readonly<Record<string, string>> = {
  timeout: 'It did not answer in time.',
  unreachable: 'It cannot be reached.',
  redirect: 'It leads elsewhere, which is not followed.',
  'address-refused': 'Its address is not of the public internet.',
  'name-unknown': 'Its name has no address.',
  'certificate-refused': 'Its certificate is not good.',
  sealed: 'What is to be sent cannot be opened: an older SECRET is missing.',
};

function againForm(
  { receivers, token }: ReceiversPageInput,
  names: ReadonlyMap<string, Name>,
): FormBlock | undefined {
  const waiting = receivers.filter(
    ({ held, stoppedAt, problem }) => held > 0 || stoppedAt !== undefined || problem !== undefined,
  );
  if (waiting.length === 0) return undefined;
  return {
    kind: 'post-form',
    id: 'again',
    heading: 'Send again',
    about:
      'Everything that waits for a receiver, in the order of each person; one that stopped is called again.',
    action: '/staff/receivers',
    token,
    layout: 'line',
    fields: [],
    buttons: waiting.map(({ id }) => ({
      name: 'receiver',
      value: id,
      label: `Send again to ${names.get(id)?.alone}`,
      tone: 'ordinary',
    })),
    links: [],
  };
}
