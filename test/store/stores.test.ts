import { openHostedLinks } from '../../src/store/hosted-links.ts';
import { openPasscodes } from '../../src/store/passcodes.ts';
import { eraseHostedLinks } from '../../src/store/person-erasure.ts';
import { openQuotaStore } from '../../src/store/quota-store.ts';
import { openRateCounters } from '../../src/store/rate-counters.ts';
import { openRecordKeys } from '../../src/store/record-signer.ts';
import { openReplayGuard } from '../../src/store/replay-guard.ts';
import { openSessionStore } from '../../src/store/sessions.ts';
import { openStaffLog } from '../../src/store/staff-log.ts';
import { hostedLinksContract } from './contract/hosted-links.ts';
import { passcodesContract } from './contract/passcodes.ts';
import { quotaStoreContract } from './contract/quota-store.ts';
import { rateCountersContract } from './contract/rate-counters.ts';
import { recordKeysContract } from './contract/record-keys.ts';
import { replayGuardContract } from './contract/replay-guard.ts';
import { sessionsContract, sessionTimes } from './contract/sessions.ts';
import { auditMs, staffLogContract } from './contract/staff-log.ts';
import { onBoth } from './judged.ts';
import { type StoreOf, wholeTables } from './on-both.ts';

/** The contracts of all stores that are written once for both databases. */
function contracts(storeOf: StoreOf): void {
  passcodesContract(storeOf(openPasscodes));
  hostedLinksContract(storeOf(openHostedLinks));
  replayGuardContract(storeOf(openReplayGuard));
  rateCountersContract(storeOf(openRateCounters));
  quotaStoreContract(storeOf(openQuotaStore));
  staffLogContract(storeOf((given) => openStaffLog({ ...given, auditMs })));
  sessionsContract(storeOf((given) => openSessionStore({ ...given, ...sessionTimes, store: 'visitors' })));
  recordKeysContract(storeOf(openRecordKeys));
}

const now = Date.now();
const rows = 20_000;
const fill = `
  INSERT INTO session SELECT CASE WHEN n % 20 = 0 THEN 'staff' ELSE 'visitors' END, md5(n::text), NULL, ${now}, ${now}, ${now} + n
  FROM generate_series(1, ${rows}) AS n;
  INSERT INTO session_subject SELECT 'visitors', md5((n / 2)::text), md5(n::text) FROM generate_series(1, ${rows}) AS n;
  INSERT INTO sign_out SELECT 'visitors', md5(n::text), ${now} - n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO passcode (id, link, code, center, subject, person, receiver, digits, ends_at)
  SELECT 'p' || n, 'l' || n, 'c', 'center', 's', md5(n::text), md5(n::text), 6, ${now} + n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO used_token SELECT 's' || n, ${now} + n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO quota_turn SELECT 'q' || n, n, ${now} + n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO rate_counter SELECT 't' || n, 1, ${now} + n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO hosted_link SELECT 'h' || n, md5(n::text), 's', ${now}, ${now} + n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO audit (at, name, does, outcome) SELECT ${now} - n, 'Eva', 'read', 'done' FROM generate_series(1, ${rows}) AS n;
  INSERT INTO recent_task (staff, task, name, at) SELECT 'eva', 't' || n, 'Task', ${now} - n FROM generate_series(1, ${rows}) AS n;
  INSERT INTO form SELECT 'f' || n, ${now} - n, NULL FROM generate_series(1, ${rows}) AS n`;

onBoth('The stores', {
  contract: contracts,
  layoutOf: wholeTables,
  others: [eraseHostedLinks],
  grows: 'session|session_subject|sign_out|passcode|used_token|rate_counter|hosted_link',
  fill,
  indexes: {
    session_end: /^SELECT store, id FROM session WHERE ends_at/,
    session_subject_session: /^DELETE FROM session_subject/,
    sign_out_at: /^DELETE FROM sign_out/,
    passcode_end: /^DELETE FROM passcode/,
    passcode_person: /SET ended_at/,
    passcode_receiver: /receiver (= ANY|IN)/,
    used_token_until: /^DELETE FROM used_token/,
    rate_counter_end: /^DELETE FROM rate_counter/,
    quota_turn_end: /^DELETE FROM quota_turn/,
    hosted_link_end: /^DELETE FROM hosted_link WHERE (?!person)/,
    hosted_link_person: /^DELETE FROM hosted_link WHERE person/,
    audit_at: /^DELETE FROM audit/,
    recent_task_at: /^DELETE FROM recent_task/,
    form_at: /^DELETE FROM form/,
  },
});
