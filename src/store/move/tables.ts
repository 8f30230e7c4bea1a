/** One table of the embedded store, and where it goes. */
export interface MovedTable {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Columns, by their names in PostgreSQL, as what they are called in the file: a name, or SQL. */
  readonly columns: Readonly<Record<string, string>>;
  readonly yesOrNo?: readonly string[];
  /** By which rows are told apart, in PostgreSQL; they are texts or whole numbers. */
  readonly key: readonly string[];
  /** Draws the next number of the first of the key. */
  readonly sequence?: string;
  /** A part of the table. */
  readonly only?: { readonly column: string; readonly value: string };
}

const same = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));

const sessions = (file: string, store: string): readonly MovedTable[] => {
  const common = { file, only: { column: 'store', value: store } };
  const kept = { store: `'${store}'` };
  return [
    {
      ...common,
      from: 'session',
      to: 'session',
      columns: { ...kept, ...same('id', 'payload', 'made_at', 'touched_at', 'ends_at') },
      key: ['id'],
    },
    {
      ...common,
      from: 'session_subject',
      to: 'session_subject',
      columns: { ...kept, ...same('subject', 'session') },
      key: ['subject', 'session'],
    },
    {
      ...common,
      from: 'farewell',
      to: 'sign_out',
      columns: { ...kept, ...same('subject', 'at') },
      key: ['subject'],
    },
  ];
};

/** Everything that an embedded folder keeps, but for the sandbox and its secret. */
export const movedTables: readonly MovedTable[] = [
  {
    file: 'journal.sqlite',
    from: 'submission',
    to: 'submission',
    columns: {
      ...same('sequence', 'reference', 'nonce', 'digest', 'center', 'subject', 'state'),
      ...same('everything', 'withdraws', 'gpc', 'submitted_at', 'due_at', 'expires_at', 'done_at'),
      ...same(
        'passable',
        'bounded',
        'undoes',
        'undone_by',
        'repeats',
        'said_again_at',
        'receipts',
        'payload',
        'evidence',
      ),
      channel: 'door',
    },
    yesOrNo: ['everything', 'withdraws', 'gpc', 'passable', 'bounded'],
    key: ['sequence'],
    sequence: 'submission_sequence',
  },
  {
    file: 'journal.sqlite',
    from: 'reason',
    to: 'reason',
    columns: same('sequence', 'center', 'day', 'id', 'text'),
    key: ['sequence'],
    sequence: 'reason_sequence',
  },
  {
    file: 'journal.sqlite',
    from: 'platform',
    to: 'platform',
    columns: same('one', 'address'),
    key: ['one'],
  },
  {
    file: 'journal.sqlite',
    from: 'event',
    to: 'event',
    columns: same('sequence', 'id', 'center', 'position', 'reference', 'at', 'payload'),
    key: ['sequence'],
    sequence: 'event_sequence_seq',
  },
  {
    file: 'journal.sqlite',
    from: 'event_center',
    to: 'event_center',
    columns: same('center', 'last', 'gone'),
    key: ['center'],
  },
  {
    file: 'journal.sqlite',
    from: 'event_queue',
    to: 'event_queue',
    columns: same('receiver', 'person', 'state', 'due_at', 'since', 'attempts', 'problem'),
    key: ['receiver', 'person'],
  },
  {
    file: 'journal.sqlite',
    from: 'event_delivery',
    to: 'event_delivery',
    columns: same('sequence', 'receiver', 'person'),
    key: ['sequence', 'receiver'],
  },
  {
    file: 'journal.sqlite',
    from: 'event_receiver',
    to: 'event_receiver',
    columns: same('receiver', 'stopped_at'),
    key: ['receiver'],
  },
  {
    file: 'journal.sqlite',
    from: 'event_stop',
    to: 'event_stop',
    columns: same('reference', 'name', 'at'),
    key: ['reference', 'name'],
  },
  {
    file: 'journal.sqlite',
    from: 'person_key',
    to: 'person_key',
    columns: same('number', 'key', 'made_at'),
    key: ['number'],
  },
  {
    file: 'journal.sqlite',
    from: 'last_word',
    to: 'last_word',
    columns: same('person', 'purpose', 'sequence', 'is_off'),
    yesOrNo: ['is_off'],
    key: ['person', 'purpose'],
  },
  ...sessions('sessions.sqlite', 'visitors'),
  ...sessions('staff-sessions.sqlite', 'staff'),
  {
    file: 'passcodes.sqlite',
    from: 'passcode',
    to: 'passcode',
    columns: {
      ...same('id', 'link', 'code', 'center', 'subject', 'person', 'receiver', 'digits', 'attempts'),
      ...same('ends_at', 'spent_at', 'ended_at', 'link_names_subject'),
    },
    yesOrNo: ['link_names_subject'],
    key: ['id'],
  },
  { file: 'spent.sqlite', from: 'spent', to: 'spent', columns: same('id', 'until'), key: ['id'] },
  {
    file: 'tallies.sqlite',
    from: 'tally',
    to: 'tally',
    columns: same('id', 'count', 'ends_at'),
    key: ['id'],
  },
  {
    file: 'staff.sqlite',
    from: 'audit',
    to: 'audit',
    columns: same('sequence', 'at', 'staff', 'name', 'does', 'about', 'outcome'),
    key: ['sequence'],
    sequence: 'audit_sequence_seq',
  },
  {
    file: 'staff.sqlite',
    from: 'failed_sign_in',
    to: 'failed_sign_in',
    columns: same('kind', 'started_at', 'lines', 'count', 'sequence'),
    key: ['kind'],
  },
  {
    file: 'staff.sqlite',
    from: 'recent_task',
    to: 'recent_task',
    columns: { sequence: 'rowid', ...same('staff', 'task', 'name', 'at') },
    key: ['sequence'],
    sequence: 'recent_task_sequence_seq',
  },
  { file: 'staff.sqlite', from: 'form', to: 'form', columns: same('nonce', 'at', 'result'), key: ['nonce'] },
  {
    file: 'record-keys.sqlite',
    from: 'record_key',
    to: 'record_key',
    columns: { sequence: 'number', kid: 'kid', key: 'jwk' },
    key: ['sequence'],
    sequence: 'record_key_sequence_seq',
  },
];
