import { changeKinds, outcomes } from '../submission/submission.ts';
import type { PathStep } from './day-root.ts';
import type { AskedEvidence, EndedEvidence, Salted } from './evidence.ts';

declare const typed: unique symbol;
/** A schema with its type stated, because the type cannot be derived from the schema. */
interface Typed<T> {
  readonly [typed]: T;
}

/** A member that may be absent. */
interface Maybe<Schema> {
  readonly maybe: Schema;
}
const maybe = <const Schema extends object>(schema: Schema): Maybe<Schema> => ({ maybe: schema });

/** The type of the values that a schema describes. */
export type Described<S> =
  S extends Typed<infer T>
    ? T
    : S extends { readonly const: infer T } | { readonly enum: readonly (infer T)[] }
      ? T
      : S extends { readonly items: infer Item }
        ? readonly Described<Item>[]
        : S extends { readonly type: 'integer' }
          ? number
          : S extends { readonly type: 'boolean' }
            ? boolean
            : string;

type Members<P> = {
  readonly [Name in keyof P as P[Name] extends Maybe<object> ? never : Name]: Described<P[Name]>;
} & {
  readonly [Name in keyof P as P[Name] extends Maybe<object> ? Name : never]?:
    | (P[Name] extends Maybe<infer Schema> ? Described<Schema> : never)
    | undefined;
};

/** The schema of an object with these members and no others. */
function strict<const P extends Readonly<Record<string, object>>>(members: P): Typed<Members<P>> {
  const all = Object.entries(members);
  const properties = all.map(([name, member]) => [name, 'maybe' in member ? member.maybe : member]);
  const required = all.flatMap(([name, member]) => ('maybe' in member ? [] : name));
  const schema = {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(properties),
    required,
  };
  return schema as unknown as Typed<Members<P>>;
}

const text = { type: 'string', minLength: 1 } as const;
const maybeEmpty = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const digest = { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' } as const;
const flag = { type: 'boolean' } as const;

const named = strict({ id: text, name: maybeEmpty });

const choice = strict({
  kind: { enum: ['topic', 'option'] },
  id: text,
  name: text,
  preference: maybe(named),
  to: { enum: ['on', 'off'] },
});

const purpose = strict({
  '@type': { enum: ['dpv:Purpose', 'dpv:PersonalData', 'dpv:Language'] },
  purpose: text,
  description: maybe(maybeEmpty),
  lawful_basis: maybe({ const: 'dpv:Consent' }),
  'sayso:id': text,
  'sayso:version': maybe({ type: 'integer' }),
  // If absent, the name is the one on the day of issue.
  'sayso:text': maybe(digest),
  'sayso:change': { enum: changeKinds },
  // The status that the form showed.
  'sayso:from': maybe(text),
  'sayso:choices': maybe({ type: 'array', minItems: 1, items: choice }),
  'sayso:outcome': { enum: outcomes },
  'sayso:receipt': maybe(text),
});

const event = strict({
  event_time: time,
  event_type: {
    enum: [
      'sayso:shown',
      'sayso:accepted',
      'sayso:sent',
      'sayso:ended',
      'dpv:ConsentGiven',
      'dpv:RenewedConsentGiven',
      'dpv:ConsentRequested',
      'dpv:ConsentWithdrawn',
      'dpv:ConsentUnknown',
    ],
  },
  // If absent, the event is about all purposes of the record.
  'sayso:purpose': maybe(text),
});

const party = strict({
  party_role: { const: 'dpv:DataController' },
  party_name: maybe(text),
  party_contact: maybe(text),
});

/** The content of a leaf. Its hash is the SHA-256 of the salt and of the content as canonical JSON. */
const leaf = <T>() =>
  ({ type: 'object', properties: { salt: maybeEmpty }, required: ['salt'] }) as unknown as Typed<Salted<T>>;

const step = {
  ...strict({ left: maybe(digest), right: maybe(digest) }),
  minProperties: 1,
  maxProperties: 1,
} as unknown as Typed<PathStep>;

/** A flattened JWS (RFC 7515, 7.2.2). */
export const signed = strict({ payload: text, protected: text, signature: text });

/** One submission, in the words of its time. */
export const record = strict({
  '@type': { const: 'dpv:ConsentRecord' },
  record_id: text,
  language: maybe(text),
  privacy_notice: maybe(text),
  party: maybe({ type: 'array', items: party }),
  purposes: { type: 'array', items: purpose },
  events: { type: 'array', minItems: 1, items: event },
  'sayso:state': { enum: ['pending', 'done', 'failed'] },
  'sayso:channel': { enum: ['link', 'staff-link', 'mail', 'single-sign-on', 'embed', 'one-click', 'staff'] },
  // Source of the words: a form, the submission that is undone, or the center; or they were not read.
  'sayso:words': { enum: ['form', 'undone', 'center', 'not-read'] },
  'sayso:wording': maybe(digest),
  'sayso:title': maybe(text),
  'sayso:button': maybe(text),
  'sayso:notice': maybe(named),
  'sayso:page': maybe(text),
  'sayso:template': maybe(text),
  'sayso:everything': flag,
  'sayso:globalPrivacyControl': flag,
  'sayso:objection': maybe({ const: true }),
  'sayso:onBehalf': maybe(strict({ staff: text, reason: maybeEmpty })),
  'sayso:linkMadeBy': maybe(text),
  'sayso:undoes': maybe(text),
  'sayso:undoneBy': maybe(text),
  'sayso:receipts': { type: 'array', items: text },
  'sayso:asked': maybe(leaf<AskedEvidence>()),
  'sayso:ended': maybe(leaf<EndedEvidence & { readonly reference: string }>()),
  // The path from SHA-256(0, digest of asked, digest of ended) to the root of that day.
  'sayso:path': maybe(
    strict({ day: { type: 'string', format: 'date' }, steps: { type: 'array', items: step } }),
  ),
});

/** The payload of a signed record, in JSON Schema 2020-12. */
export const recordSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A signed record',
  description:
    'A consent receipt after ISO/IEC TS 27560:2023 with terms of the Data Privacy Vocabulary (DPV 2).',
  ...strict({
    '@context': strict({ dpv: text, sayso: text }),
    '@type': { const: 'dpv:ConsentReceipt' },
    schema_version: { const: 'ISO/IEC TS 27560:2023' },
    receipt_id: text,
    iss: { type: 'string', format: 'uri' },
    sub: text,
    pii_principal_id: text,
    'sayso:issuedAt': time,
    // The center's title on the day of issue.
    'sayso:center': strict({ id: text, title: maybe(maybeEmpty) }),
    'sayso:language': text,
    // `total` counts all records; `part` is the number of this file among `parts`.
    'sayso:total': { type: 'integer', minimum: 0 },
    'sayso:part': { type: 'integer', minimum: 1 },
    'sayso:parts': { type: 'integer', minimum: 1 },
    // The signed `DayRoot`s to which the paths of the records lead.
    'sayso:roots': maybe({ type: 'array', minItems: 1, items: signed }),
    // Newest first.
    records: { type: 'array', items: record },
  }),
} as const;
