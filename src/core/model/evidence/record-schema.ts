import type { ChangeKind, Outcome } from '../submission/submission.ts';

const text = { type: 'string', minLength: 1 } as const;
const maybeText = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const digest = { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' } as const;
/** Every value of a type: the compiler reports a missing one. */
const every = <T extends string>(all: Readonly<Record<T, 0>>) => ({ enum: Object.keys(all) });
const outcome = every<Outcome>({
  ...{ saved: 0, 'in-progress': 0, waiting: 0, 'being-carried-out': 0, 'not-saved': 0, 'in-doubt': 0 },
  ...{ reworded: 0, unconfirmed: 0, 'withdrawn-elsewhere': 0, replaced: 0, 'switched-off': 0, locked: 0 },
  ...{ unchanged: 0, 'no-such-purpose': 0 },
});
const change = every<ChangeKind>({
  on: 0,
  off: 0,
  adjust: 0,
  add: 0,
  reduce: 0,
  typed: 0,
  language: 0,
  keep: 0,
});

const strict = (properties: object, required: readonly string[]) =>
  ({ type: 'object', additionalProperties: false, properties, required }) as const;

const named = strict({ id: text, name: maybeText }, ['id', 'name']);

const choice = strict(
  {
    kind: { enum: ['topic', 'option'] },
    id: text,
    name: text,
    preference: named,
    to: { enum: ['on', 'off'] },
  },
  ['kind', 'id', 'name', 'to'],
);

const purpose = strict(
  {
    '@type': { enum: ['dpv:Purpose', 'dpv:PersonalData', 'dpv:Language'] },
    purpose: text,
    description: maybeText,
    lawful_basis: { const: 'dpv:Consent' },
    'sayso:id': text,
    'sayso:version': { type: 'integer' },
    'sayso:text': digest,
    'sayso:change': change,
    'sayso:from': text,
    'sayso:choices': { type: 'array', minItems: 1, items: choice },
    'sayso:outcome': outcome,
    'sayso:receipt': text,
  },
  ['@type', 'purpose', 'sayso:id', 'sayso:change', 'sayso:outcome'],
);

const event = strict(
  {
    event_time: time,
    event_type: {
      enum: [
        ...['sayso:shown', 'sayso:accepted', 'sayso:sent', 'sayso:ended', 'dpv:ConsentGiven'],
        ...['dpv:RenewedConsentGiven', 'dpv:ConsentRequested', 'dpv:ConsentWithdrawn', 'dpv:ConsentUnknown'],
      ],
    },
    'sayso:purpose': text,
  },
  ['event_time', 'event_type'],
);

const party = strict({ party_role: { const: 'dpv:DataController' }, party_name: text, party_contact: text }, [
  'party_role',
]);

const leaf = { type: 'object', properties: { salt: maybeText }, required: ['salt'] } as const;

const step = {
  ...strict({ left: digest, right: digest }, []),
  minProperties: 1,
  maxProperties: 1,
} as const;

const record = strict(
  {
    '@type': { const: 'dpv:ConsentRecord' },
    record_id: text,
    language: text,
    privacy_notice: text,
    party: { type: 'array', items: party },
    purposes: { type: 'array', items: purpose },
    events: { type: 'array', minItems: 1, items: event },
    'sayso:state': { enum: ['pending', 'done', 'failed'] },
    'sayso:channel': {
      enum: ['link', 'staff-link', 'mail', 'single-sign-on', 'embed', 'one-click', 'staff'],
    },
    'sayso:words': { enum: ['form', 'undone', 'center', 'not-read'] },
    'sayso:wording': digest,
    'sayso:title': text,
    'sayso:button': text,
    'sayso:notice': named,
    'sayso:page': text,
    'sayso:template': text,
    'sayso:everything': { type: 'boolean' },
    'sayso:globalPrivacyControl': { type: 'boolean' },
    'sayso:objection': { const: true },
    'sayso:onBehalf': strict({ staff: text, reason: maybeText }, ['staff', 'reason']),
    'sayso:linkMadeBy': text,
    'sayso:undoes': text,
    'sayso:undoneBy': text,
    'sayso:receipts': { type: 'array', items: text },
    'sayso:asked': leaf,
    'sayso:ended': leaf,
    'sayso:path': strict({ day: { type: 'string', format: 'date' }, steps: { type: 'array', items: step } }, [
      'day',
      'steps',
    ]),
  },
  [
    ...['@type', 'record_id', 'purposes', 'events', 'sayso:state', 'sayso:channel', 'sayso:words'],
    ...['sayso:everything', 'sayso:globalPrivacyControl', 'sayso:receipts'],
  ],
);

/** The payload of a signed record, in JSON Schema 2020-12. */
export const recordSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A signed record',
  description:
    'A consent receipt after ISO/IEC TS 27560:2023 with terms of the Data Privacy Vocabulary (DPV 2).',
  ...strict(
    {
      '@context': strict({ dpv: text, sayso: text }, ['dpv', 'sayso']),
      '@type': { const: 'dpv:ConsentReceipt' },
      schema_version: { const: 'ISO/IEC TS 27560:2023' },
      receipt_id: text,
      iss: { type: 'string', format: 'uri' },
      sub: text,
      pii_principal_id: text,
      'sayso:issuedAt': time,
      'sayso:center': strict({ id: text, title: maybeText }, ['id']),
      'sayso:language': text,
      'sayso:total': { type: 'integer', minimum: 0 },
      'sayso:part': { type: 'integer', minimum: 1 },
      'sayso:parts': { type: 'integer', minimum: 1 },
      'sayso:roots': {
        type: 'array',
        minItems: 1,
        items: strict({ payload: text, protected: text, signature: text }, [
          ...['payload', 'protected', 'signature'],
        ]),
      },
      records: { type: 'array', items: record },
    },
    [
      ...['@context', '@type', 'schema_version', 'receipt_id', 'iss', 'sub', 'pii_principal_id', 'records'],
      ...['sayso:issuedAt', 'sayso:center', 'sayso:language', 'sayso:total', 'sayso:part', 'sayso:parts'],
    ],
  ),
} as const;
