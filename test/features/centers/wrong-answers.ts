import { idOf } from './sample-centers.ts';

/** A wrong answer that the platform gives once. `right` is the body of the correct answer. */
export interface WrongAnswer {
  readonly name: string;
  fault(right: Json, about: About): Fault | undefined;
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type JsonObject = { readonly [name: string]: Json };

export interface About {
  readonly operation: ReadOperation;
  readonly target: string | undefined;
}

export type ReadOperation = 'read-subject' | 'read-schema' | 'read-root' | 'read-page' | 'token';

/** Fields of a fault, as the sandbox takes them. */
export type Fault = Readonly<Record<string, unknown>>;

const body = (value: Json, status = 200): Fault => ({
  kind: 'garbage',
  status,
  body: JSON.stringify(value),
  contentType: 'application/json',
});

/** Lists in each kind of answer; a wrong answer has the list null, absent or empty. */
const lists: Readonly<Record<ReadOperation, readonly string[]>> = {
  'read-subject': ['Purposes'],
  'read-schema': ['Purposes'],
  'read-root': ['pages'],
  'read-page': ['sections', 'sections.purposes'],
  token: ['access_token'],
};

function without(value: Json, path: string, becomes: Json | undefined): Json {
  const [first = '', ...rest] = path.split('.');
  if (Array.isArray(value)) return value.map((item) => without(item, path, becomes));
  const members = value as JsonObject;
  const changed = rest.length === 0 ? becomes : without(members[first] ?? null, rest.join('.'), becomes);
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, each]): [string, Json][] => {
      if (name !== first) return [[name, each]];
      return changed === undefined ? [] : [[name, changed]];
    }),
  );
}

const member = (how: string, becomes: Json | undefined): readonly WrongAnswer[] =>
  [0, 1].map((which) => ({
    name: `${how} ${which === 0 ? 'list' : 'inner list'}`,
    fault(right, { operation }) {
      const path = lists[operation][which];
      if (path === undefined) return undefined;
      // For a person the sandbox builds the answer itself; its other fields stay current.
      const answer = `purposes-${how === 'no' ? 'absent' : how}`;
      return operation === 'read-subject'
        ? { kind: 'unknown-subject', answer }
        : body(without(right, path, becomes));
    },
  }));

const always = (name: string, fault: Fault): WrongAnswer => ({ name, fault: () => fault });

/** An older answer: the target had another status, or was not there. */
const older = (
  how: string,
  change: (item: JsonObject, of: ReadOperation) => JsonObject | undefined,
): WrongAnswer => ({
  name: `older: ${how}`,
  fault(right, { operation, target }) {
    if (target === undefined || operation === 'token') return undefined;
    const id = idOf(target);
    let isChanged = false;
    const walk = (value: Json): Json => {
      if (Array.isArray(value)) {
        return value.flatMap((item): Json[] => {
          if (isObject(item) && (item['Id'] === id || item['id'] === id)) {
            const changed = change(item, operation);
            if (changed !== item) isChanged = true;
            return changed === undefined ? [] : [changed];
          }
          return [walk(item)];
        });
      }
      if (!isObject(value)) return value;
      return Object.fromEntries(
        Object.entries(value).map(([name, each]): [string, Json] => {
          if (!isObject(each) || each['id'] !== id) return [name, walk(each)];
          isChanged = true;
          return [name, change(each, operation) ?? null];
        }),
      );
    };
    const changed = walk(right);
    return isChanged ? body(changed) : undefined;
  },
});

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const onlySubject =
  (status: string) =>
  (item: JsonObject, of: ReadOperation): JsonObject =>
    of === 'read-subject' ? { ...item, TransactionStatus: status } : item;

export const wrongAnswers: readonly WrongAnswer[] = [
  always('404', { kind: '500', status: 404 }),
  always('400', { kind: '500', status: 400 }),
  always('500', { kind: '500', status: 500 }),
  always('429', { kind: '500', status: 429 }),
  always('cut', { kind: 'drop' }),
  always('200 with Status 400', body({ Status: 400 })),
  always('200 with Status 404', body({ Status: 404 })),
  ...member('null', null),
  ...member('no', undefined),
  ...member('empty', []),
  always('200 {}', body({})),
  always('200 null', body(null)),
  always('200 []', body([])),
  always('200 empty', { kind: 'garbage', status: 200, body: '', contentType: 'application/json' }),
  always('204', { kind: 'garbage', status: 204, body: '', contentType: 'application/json' }),
  always('HTML', { kind: 'garbage' }),
  always('half', { kind: 'garbage', truncate: true }),
  {
    name: 'of another person',
    fault(right, { operation }) {
      if (operation !== 'read-subject') return undefined;
      const purposes: Json = [{ Id: idOf('Letters'), Label: 'Letters', TransactionStatus: 'ACTIVE' }];
      return body({
        ...(right as JsonObject),
        DataSubjectId: 'somebody.else@example.org',
        Purposes: purposes,
      });
    },
  },
  {
    name: 'of another person, who has nothing',
    fault(right, { operation }) {
      if (operation !== 'read-subject') return undefined;
      return body({ ...(right as JsonObject), DataSubjectId: 'somebody.else@example.org', Purposes: [] });
    },
  },
  {
    name: 'older: as it was at first',
    fault: (right, { operation }) => (operation === 'read-subject' ? body(right) : undefined),
  },
  older('not there', () => undefined),
  older('withdrawn', onlySubject('WITHDRAWN')),
  older('on', onlySubject('ACTIVE')),
  older('not on by default', (item, of) => {
    if (of === 'read-subject') return item;
    return 'DefaultConsentStatus' in item
      ? { ...item, DefaultConsentStatus: 'OPT_OUT' }
      : { ...item, defaultConsentStatus: 'OPT_OUT' };
  }),
];
