import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../src/core/model/problem.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import type { Journal } from '../../src/ports/journal.ts';

function metricsOf(counts: Journal['counts']) {
  const metrics = createMetrics({
    build: { version: '1.2.3', host: 'node-1' },
    classes: ['read', 'staff'],
    operations: ['read-subject'],
    hasDatabase: false,
  });
  const clock = { now: () => 100_000 };
  metrics.watch({ journal: { counts }, clock, loopDelay: () => 12, inFlight: () => 3 });
  return metrics;
}

function assertPrinted(text: string, lines: readonly string[]): void {
  assert.deepEqual([...new Set(lines).difference(new Set(text.split('\n')))], [], text);
}

test('counted events are printed for Prometheus', async () => {
  const metrics = metricsOf(async () => [
    { state: 'pending', count: 2, oldestAt: 40_000 },
    { state: 'done', count: 7, oldestAt: undefined },
  ]);
  metrics.request({ requestClass: 'read', route: '/:center', method: 'GET', status: 200, ms: 30 });
  metrics.loadShedder('staff');
  metrics.platform.call('read-subject', 'platform-slow', 4_900);
  metrics.platform.breaker('read-subject', 'open');
  metrics.platform.dropped('b00c', 3);
  metrics.internalError('22003');
  assertPrinted(await metrics.print(), [
    'sayso_request_seconds_count{class="read",route="/:center",method="GET",status="200"} 1',
    'sayso_shed_total{class="staff"} 1',
    'sayso_platform_call_seconds_count{operation="read-subject",outcome="platform-slow"} 1',
    'sayso_platform_breaker{operation="read-subject"} 2',
    'sayso_dropped_items_total{center="b00c"} 3',
    'sayso_journal_submissions{state="pending"} 2',
    'sayso_journal_oldest_seconds{state="pending"} 60',
    'sayso_journal_submissions{state="done"} 7',
    'sayso_internal_errors_total{error="22003"} 1',
    `sayso_build_info{version="1.2.3",host="node-1",node="${process.versions.node}"} 1`,
    'sayso_requests_in_flight 3',
    'sayso_event_loop_delay_seconds 0.012',
  ]);
});

test('a failing journal leaves the other metrics in place', async () => {
  const metrics = metricsOf(async () => {
    throw new Problem('store-unavailable');
  });
  metrics.signIn.watch(() => Promise.reject(new Problem('store-unavailable')));
  const text = await metrics.print();
  assert.doesNotMatch(text, /sayso_journal_submissions\{/);
  assert.match(text, /sayso_requests_in_flight 3/);
});

test('counts with known labels begin at 0, so that the first event is a rise', async () => {
  const metrics = metricsOf(async () => []);
  metrics.platform.watchQuota(() => undefined);
  metrics.platform.listed('b00c');
  assertPrinted(await metrics.print(), [
    ...['pending', 'done', 'failed'].map((state) => `sayso_journal_submissions{state="${state}"} 0`),
    ...['read', 'staff'].map((name) => `sayso_shed_total{class="${name}"} 0`),
    ...['sent', 'none', 'refused'].map((each) => `sayso_sign_in_messages_total{outcome="${each}"} 0`),
    'sayso_platform_paced_total{operation="read-subject",priority="person",outcome="refused"} 0',
    'sayso_platform_paced_total{operation="read-subject",priority="withdrawal",outcome="waited"} 0',
    'sayso_dropped_items_total{center="b00c"} 0',
    'sayso_no_such_purpose_total{center="b00c"} 0',
    'sayso_wrong_passcodes_total 0',
    'sayso_wrong_api_keys_total 0',
  ]);
});
