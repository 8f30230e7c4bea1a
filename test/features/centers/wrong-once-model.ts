import type { SubjectAnswer } from '../../kit/sandbox-client.ts';
import type { Visitor } from '../../kit/visitor.ts';
import type { FormPage } from './fixture.ts';
import { nameOf, type OnRecord } from './sample-centers.ts';
import type { ReadOperation, WrongAnswer } from './wrong-answers.ts';

/** Purpose → its status and its chosen items, separated by spaces. */
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

/** A wish of a visitor, with the record that must follow from it. */
export interface Act {
  readonly name: string;
  readonly kind: Kind;
  readonly isOnRecord: boolean;
  /** The purpose that the act changes; undefined if it changes several. */
  readonly target: string | undefined;
  /** Purpose → `off` or its state. `everything`: no purpose is on. */
  readonly wants: Readonly<Record<string, string>> | 'everything';
  /** A grant may end as not saved, if the result says so. */
  readonly isGrant: boolean;
  /** The record that must follow if the grant is not saved. Default: unchanged. */
  readonly unsaved?: Readonly<Record<string, string>>;
  /** The act ends with an undo: the record is as before. */
  readonly isUndone?: boolean;
  /** The act saves a page that shows purposes that are on by default. */
  readonly confirms?: boolean;
  /** The browser sends Global Privacy Control. */
  readonly gpc?: boolean;
  readonly scope?: 'manage' | 'withdraw';
  run(visit: Visit): Promise<void>;
}

/**
 * A change at the platform after a form was shown and before it is posted. It touches no purpose of the act.
 */
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
  /** Name of the page: `one`, `two` or `hidden`. */
  readonly page?: string | undefined;
  readonly skip?: number;
  readonly wrong?: WrongAnswer;
}

export function titleOf({ act, isWarm, elsewhere, operation, page, skip, wrong }: Case): string {
  const change = elsewhere === undefined ? '' : `, ${elsewhere} elsewhere`;
  const setting = `${act.kind}, ${act.isOnRecord ? 'on record' : 'unknown'}, ${isWarm ? 'warm' : 'cold'}${change}`;
  const answer =
    operation === undefined
      ? 'nothing wrong'
      : `${operation}${page === undefined ? '' : ` ${page}`} #${skip}: ${wrong?.name}`;
  return `${act.name} (${setting}) ${answer}`;
}

/** A visitor who acts, with the answers of the product. */
export interface Visit {
  readonly center: string;
  readonly visitor: Visitor;
  readonly page: (name: string) => string;
  /** Reloads the page until `shows` is true. */
  see(path: string, shows: (page: FormPage) => boolean): Promise<FormPage>;
  /** Presses the save button until there is a result. */
  press(page: FormPage): Promise<void>;
  click(purpose: string | undefined): Promise<void>;
  leave(): Promise<void>;
  object(): Promise<void>;
  undo(): Promise<void>;
  /** Reloads the result until nothing is in progress. */
  settle(): Promise<void>;
}

/** A page that uses an older schema may not offer the act. Then the record must not change. */
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

/** Describes each purpose whose state is wrong; undefined if all are right. */
export function wrongStates(act: Act, state: State, before: State): string | undefined {
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
      // The center confirms a shown purpose that is on by default when another purpose is granted.
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
