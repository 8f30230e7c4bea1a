import type { whatStays } from '../../src/store/what-stays.ts';

/**
 * What becomes of each table when a person is erased, so that a new table cannot be forgotten. `erased`: its rows about
 * the person go; `stays`: as the product says; `ends`: keyed hashes that are deleted by themselves within days;
 * `impersonal`: nothing in it is about a person.
 */
export const personTables: Readonly<
  Record<string, 'erased' | 'ends' | 'impersonal' | { readonly stays: (typeof whatStays)[number] }>
> = {
  person: 'erased',
  submission: {
    stays:
      'the center, the day, the state and the digests that the signed root of that day is made of: nothing can be read from them',
  },
  day_root: 'impersonal',
  submission_count: { stays: 'counts by state and day' },
  submission_day: { stays: 'counts by state and day' },
  reason: {
    stays: 'reasons for leaving in the words of the person, kept without a name, for REASON_DAYS',
  },
  reason_count: 'impersonal',
  // What pages showed to everybody.
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
  last_word: {
    stays:
      'keyed hashes of what was withdrawn: may-send goes on saying no. --forget-withdrawals erases them, too',
  },
  audit: { stays: 'what staff did, by a keyed hash of the person, for AUDIT_DAYS' },
  failed_sign_in: 'impersonal',
  recent_task: 'impersonal',
  form: 'impersonal',
  record_key: 'impersonal',
  stuck_task: 'erased',
  message: 'erased',
  erased: {
    stays: 'keyed hashes of the person, so that a backup that is restored is erased again',
  },
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
