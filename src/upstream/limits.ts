/**
 * Time-outs in milliseconds. The time-out of a call covers the whole exchange: waiting, token, headers, body,
 * and repetitions of a read.
 */
export const defaultTimeouts = {
  connect: 3_000,
  token: 4_000,
  schema: 6_000,
  /** The longest wait of a visitor for a center that is not cached; the reading goes on. */
  center: 4_900,
  subjectRead: 4_900,
  subjectWrite: 7_900,
  staff: 7_900,
  /** The time for which a breaker stays open before it allows a trial call. */
  breakerOpen: 3_000,
};

export const defaultLimits = {
  // Calls in flight in each bulkhead.
  tokens: 2,
  schemas: 8,
  subjectReads: 48,
  /** Profiles have a bulkhead apart from records, because a page works without profiles. */
  profiles: 8,
  subjectWrites: 16,
  staff: 6,
  /** Waiting calls in each bulkhead. */
  waiting: 1_024,
  /** Milliseconds for which a center counts as fresh. */
  centerFresh: 60_000,
  /** Milliseconds for which a center is kept while the platform cannot be asked. */
  centerKept: 24 * 3_600_000,
  /** The most bytes of an answer, and of an answer that is a schema. */
  answerBytes: 2 * 1024 * 1024,
  schemaBytes: 4 * 1024 * 1024,
};

export type Timeouts = Readonly<typeof defaultTimeouts>;
export type Limits = Readonly<typeof defaultLimits>;
