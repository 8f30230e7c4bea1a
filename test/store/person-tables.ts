import { whatStays } from '../../src/store/what-stays.ts';

const [digests, counts, reasons, withdrawals, staff, erasures] = whatStays;

/**
 * The effect of an erasure on each table, so that a new table cannot be forgotten. `erased`: its rows about
 * the person are deleted; `stays`: they stay, as the product says; `ends`: keyed hashes that expire within
 * days; `impersonal`: the table holds nothing about a person.
 */
export const personTables: Readonly<
  Record<string, 'erased' | 'ends' | 'impersonal' | { readonly stays: (typeof whatStays)[number] }>
> = {
  person: 'erased',
  submission: { stays: digests },
  day_root: 'impersonal',
  submission_count: { stays: counts },
  submission_day: { stays: counts },
  reason: { stays: reasons },
  reason_count: 'impersonal',
  // Texts that pages showed to all visitors.
  wording: 'impersonal',
  wording_text: 'impersonal',
  platform: 'impersonal',
  written: 'impersonal',
  event: 'erased',
  event_queue: 'erased',
  event_stop: 'erased',
  event_center: 'impersonal',
  event_receiver: 'impersonal',
  person_key: 'impersonal',
  last_word: { stays: withdrawals },
  audit: { stays: staff },
  failed_sign_in: 'impersonal',
  recent_task: 'impersonal',
  form: 'impersonal',
  record_key: 'impersonal',
  stuck_task: 'erased',
  message: 'erased',
  erased: { stays: erasures },
  session: 'erased',
  session_subject: 'ends',
  sign_out: 'ends',
  passcode: 'erased',
  used_token: 'ends',
  rate_counter: 'ends',
  quota: 'impersonal',
  quota_turn: 'ends',
  hosted_link: 'erased',
  hosted_link_count: 'impersonal',
};
