import { note } from '../../pages/layout.ts';
import type { Block, Cell, FormBlock } from '../../pages/staff-page.ts';
import type { EventQueueCounts } from '../../ports/events.ts';
import { cell, figures, form, moment, shortId, table, tag } from './blocks.ts';
import { type Call, found } from './guarded-router.ts';
import { centerName } from './names.ts';
import { type Page, underSubmissions } from './page.ts';

const mostCounted = 10_000;

export async function sendAgain({ receivers, events, clock, ...call }: Call): Promise<void> {
  const receiver = found(receivers.find(({ id }) => id === call.field('receiver')));
  call.about(`${receiver.center} ${receiver.host}`);
  await events.sendAgain(receiver.id, clock.now());
  call.response.redirect(303, `/staff/receivers?sent=${encodeURIComponent(receiver.id)}`);
}

/** The state of a receiver. Only `host` is shown, because the path of its address may be a secret. */
export type ReceiverState = Call['receivers'][number] & Omit<EventQueueCounts, 'receiver'>;

/** Reads the receivers of events and what is queued for them. */
export async function readReceivers({ receivers, events, centerNames, query }: Call) {
  const ids = receivers.map(({ id }) => id);
  const queues = await events.queuesOf(ids, mostCounted);
  const states: readonly ReceiverState[] = receivers.flatMap((one, at) => {
    const queue = queues[at];
    return queue === undefined ? [] : { ...one, ...queue };
  });
  return {
    receivers: states,
    centers: await centerNames(),
    /** The id of the receiver to which events were just sent again; '' for none. */
    sentTo: query('sent'),
  };
}

type ReceiversPageInput = Awaited<ReturnType<typeof readReceivers>>;

/** The page of receivers: what is queued for each of them, and a form to send it again. */
export function buildReceiversPage(input: ReceiversPageInput): Page {
  const sentTo = input.receivers.find(({ id }) => id === input.sentTo);
  return {
    title: 'Receivers of events',
    ...underSubmissions,
    lead: [
      'Systems we call when people withdraw, and once it’s read back. What can’t be sent is tried again for 3 days; then that person is blocked until you send again.',
    ],
    notes: [
      sentTo !== undefined &&
        note(
          'success',
          `Sending again to ${nameOf(input, sentTo).alone}`,
          'Load this page again in a moment: what was sent is no longer queued.',
        ),
    ],
    blocks: [stateTable(input), againForm(input)],
  };
}

/**
 * The names of a receiver: in the table, beside its center, and alone. Receivers with the same host differ by
 * their center, and within it by their place in the centers file, because the rest of an address may be a
 * secret.
 */
function nameOf({ receivers, centers }: ReceiversPageInput, { id, host, center }: ReceiverState) {
  const sharing = receivers.filter((one) => one.host === host);
  const ofCenter = sharing.filter((one) => one.center === center);
  const place = ofCenter.findIndex((one) => one.id === id) + 1;
  const inTable = ofCenter.length > 1 ? `${host} (${place})` : host;
  const isShared = ofCenter.length < sharing.length;
  return { inTable, alone: isShared ? `${inTable}, ${shortId(centerName(centers, center))}` : inTable };
}

function stateTable(input: ReceiversPageInput): Block {
  const count = (value: number) =>
    value >= mostCounted ? `${figures.format(mostCounted)} or more` : figures.format(value);
  return table({
    id: 'receivers',
    caption: 'Receivers of events',
    columns: {
      Receiver: (one) => nameOf(input, one).inTable,
      State: stateOf,
      Center: ({ center }) => shortId(centerName(input.centers, center)),
      Queued: ({ waiting }) => cell(count(waiting), { look: 'figure' }),
      'Blocked people': ({ held }) => cell(count(held), { look: 'figure' }),
      Oldest: ({ oldestAt }) => (oldestAt === undefined ? undefined : moment(oldestAt)),
    },
    rows: input.receivers,
    empty: 'No center has receivers: name them as events in the centers file.',
  });
}

function stateOf(state: ReceiverState): Cell {
  const why = state.problem === undefined ? undefined : inWords(state.problem);
  if (state.stoppedAt !== undefined)
    return cell('Stopped', { tone: 'problem', more: 'It answered that it wants no more (410).' });
  if (state.held > 0) return cell('Blocked', { tone: 'problem', more: why });
  if (why !== undefined) return cell('Failing', { tone: 'warning', more: why });
  return tag(state.waiting > 0 ? 'Sending' : 'Up to date', 'success');
}

/** A problem in words; `status-` is followed by the status that the receiver answered. */
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

function againForm(input: ReceiversPageInput): FormBlock | undefined {
  const waiting = input.receivers.filter(
    ({ held, stoppedAt, problem }) => held > 0 || stoppedAt !== undefined || problem !== undefined,
  );
  if (waiting.length === 0) return undefined;
  return form({
    id: 'again',
    heading: 'Send again',
    about: 'All that is queued for a receiver, in each person’s order. One that stopped is called again.',
    action: '/staff/receivers',
    layout: 'line',
    buttons: waiting.map((one) => ({
      name: 'receiver',
      value: one.id,
      label: `Send again to ${nameOf(input, one).alone}`,
      tone: 'ordinary',
    })),
  });
}
