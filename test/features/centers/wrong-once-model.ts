import type { SubjectAnswer } from '../../kit/sandbox-client.ts';
import type { Visitor } from '../../kit/visitor.ts';
import type { FormPage } from './fixture.ts';
import { nameOf, type OnRecord } from './sample-centers.ts';
import type { ReadOperation, WrongAnswer } from './wrong-answers.ts';

/** Purpose → its status, and what is chosen under it. */
export type State = Readonly<Record<string, string>>;

export type Kind = 'single' | 'multi';

export const byDefault: Readonly<Record<Kind, readonly string[]>> = {
  single: ['Surveys', 'Advice', 'Tidings'],
  multi: ['Campus', 'Reunions', 'Alarms', 'Archive'],
};

export const onRecord: Readonly<Record<Kind, OnRecord>> = {
  single: {
    News: { status: 'ACTIVE', topics: ['Crime', 'Poetry'], options: { Rhythm: ['Daily'] } },
    Offers: { status: 'ACTIVE', options: { Shelves: ['New', 'Used'] } },
    Calls: 'ACTIVE',
    Notices: 'WITHDRAWN',
  },
  multi: {
    'Term letter': { status: 'ACTIVE', topics: ['Sport', 'Music'] },
    Alumni: 'ACTIVE',
    Sales: 'ACTIVE',
    Bulletin: 'WITHDRAWN',
  },
};

/** What somebody asks for, and what the record has to be then. */
export interface Act {
  readonly name: string;
  readonly kind: Kind;
  readonly isOnRecord: boolean;
  /** The purpose that it is about. */
  readonly target: string | undefined;
  /** Purpose → what it has to be: `off`, or its state; `everything`: nothing is on. */
  readonly wants: Readonly<Record<string, string>> | 'everything';
  /** What it grants may end as not saved, if that is told. */
  readonly isGrant: boolean;
  /** What has to be then; by default nothing else than before. */
  readonly unsaved?: Readonly<Record<string, string>>;
  /** In the end it is as it was. */
  readonly isUndone?: boolean;
  /** A save of a page that draws what is on by default. */
  readonly confirms?: boolean;
  /** Whose browser objects. */
  readonly gpc?: boolean;
  readonly scope?: 'manage' | 'withdraw';
  run(visit: Visit): Promise<void>;
}

/** What changes at the platform between the drawing of a form and its post, and concerns nothing that the act asks. */
export type Elsewhere = 'withdrawn' | 'granted';

/** Purpose → the status that it gets elsewhere. */
export function changedElsewhere({
  act,
  elsewhere,
}: Pick<Case, 'act' | 'elsewhere'>): Readonly<Record<string, string>> {
  if (elsewhere === undefined) return {};
  if (elsewhere === 'granted') return { [act.kind === 'single' ? 'Notices' : 'Bulletin']: 'ACTIVE' };
  const [first, second] = act.kind === 'single' ? ['Offers', 'News'] : ['Alumni', 'Term letter'];
  const isAsked = first === act.target || (act.wants !== 'everything' && first in act.wants);
  return { [isAsked ? second : first]: 'WITHDRAWN' };
}

export interface Case {
  readonly act: Act;
  readonly isWarm: boolean;
  readonly elsewhere?: Elsewhere | undefined;
  readonly operation?: ReadOperation;
  /** Of a page: `one`, `two`, `hidden`. */
  readonly page?: string | undefined;
  readonly skip?: number;
  readonly wrong?: WrongAnswer;
}

export function titleOf({ act, isWarm, elsewhere, operation, page, skip, wrong }: Case): string {
  const change = elsewhere === undefined ? '' : `, ${elsewhere} elsewhere`;
  const who = `${act.kind}, ${act.isOnRecord ? 'on record' : 'nobody'}, ${isWarm ? 'warm' : 'cold'}${change}`;
  const what =
    operation === undefined
      ? 'nothing wrong'
      : `${operation}${page === undefined ? '' : ` ${page}`} #${skip}: ${wrong?.name}`;
  return `${act.name} (${who}) ${what}`;
}

/** Somebody who asks, and what they were told. */
export interface Visit {
  readonly center: string;
  readonly visitor: Visitor;
  readonly page: (name: string) => string;
  /** Opens a page until it shows what is looked for. */
  see(path: string, shows: (page: FormPage) => boolean): Promise<FormPage>;
  /** Presses a button of a form until there is a result. */
  press(page: FormPage): Promise<void>;
  click(purpose: string | undefined): Promise<void>;
  leave(): Promise<void>;
  object(): Promise<void>;
  undo(): Promise<void>;
  /** The result, read again until nothing is under way. */
  settle(): Promise<void>;
}

/** A page shows for a while what a schema said once: then it cannot be asked, and nothing may change. */
export class NotOffered extends Error {}

export function stateOf(subject: SubjectAnswer | undefined): State {
  return Object.fromEntries(
    (subject?.Purposes ?? []).map(({ Id, TransactionStatus, Topics = [], CustomPreferences = [] }) => {
      const chosen = [...Topics, ...CustomPreferences.flatMap(({ Options = [] }) => Options)];
      const names = chosen.map((each) => nameOf(each.Id)).sort();
      return [nameOf(Id), [TransactionStatus, ...names].join(' ')];
    }),
  );
}

/** What is not as it was asked. */
export function isAsAsked(act: Act, state: State, before: State): string | undefined {
  const wrong: string[] = [];
  const isOff = (found: string | undefined) => found?.startsWith('WITHDRAWN') === true;
  const names = new Set([
    ...Object.keys(state),
    ...Object.keys(before),
    ...(act.wants === 'everything' ? byDefault[act.kind] : Object.keys(act.wants)),
  ]);
  for (const name of names) {
    const [is, was] = [state[name], before[name]];
    const wanted = act.wants === 'everything' ? 'off' : act.wants[name];
    if (wanted === 'off') {
      const isAssumed = byDefault[act.kind].includes(name);
      const isRight =
        isOff(is) || (act.wants === 'everything' && is === undefined && was === undefined && !isAssumed);
      if (!isRight) wrong.push(`${name} is ${is}, asked to be off`);
    } else if (wanted !== undefined) {
      if (is !== wanted) wrong.push(`${name} is ${is}, asked to be ${wanted}`);
    } else if (is !== was && !(isOff(is) && isOff(was))) {
      // The center confirms what is on by default and shown, where something is granted.
      const isConfirmed =
        name === 'Campus' &&
        act.kind === 'multi' &&
        is === 'ACTIVE' &&
        was === undefined &&
        (act.isGrant || act.confirms === true);
      if (!isConfirmed) wrong.push(`${name} is ${is}, was ${was}, and was not touched`);
    }
  }
  return wrong.length === 0 ? undefined : wrong.join(', ');
}
