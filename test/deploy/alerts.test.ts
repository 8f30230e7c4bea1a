import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { stringify } from 'yaml';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { newFolder } from '../kit/folder.ts';
import { readText, readYaml, root } from './files.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
}

const file = 'deploy/prometheus/rules.yaml';
const [{ groups }] = readYaml(file) as readonly [
  { readonly groups: readonly { readonly rules: readonly Rule[] }[] },
];
const rules = groups.flatMap((group) => group.rules);
const dashboard: Dashboard = JSON.parse(readText('deploy/grafana/dashboard.json'));
const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

const home = newFolder();

const promtool = process.env['PROMTOOL'] ?? '/usr/bin/promtool';
const skip = missing();

function missing(): string | false {
  if (spawnSync(promtool, ['--version']).status === 0) return false;
  const why = `there is no promtool at ${promtool} (Debian: prometheus; or PROMTOOL): the alerts were not fired`;
  if (process.env['CI'] === 'true') throw new Error(why);
  return why;
}

/** Values over time by series, in promtool's notation. */
type Series = Readonly<Record<string, string>>;
const of = (metric: string, labels: Readonly<Record<string, string>> = {}) =>
  `${metric}{${Object.entries({ instance: 'a', job: 'sayso', ...labels })
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')}}`;

const call = (outcome: string) =>
  of('sayso_platform_call_seconds_count', { operation: 'read-subject', outcome });
const answers = (status: string) =>
  of('sayso_request_seconds_count', { class: 'withdrawal', route: '/u/:token', method: 'POST', status });
const center = 'b00c5000-0000-4000-8000-000000000001';
const person = { operation: 'read-subject', priority: 'person', outcome: 'refused' };

/** An hour and a half without problems. */
const quiet: Series = {
  [of('sayso_uptime_seconds')]: '0+60x90',
  [of('sayso_journal_submissions', { state: 'pending' })]: '0x90',
  [of('sayso_journal_submissions', { state: 'done' })]: '0+3x90',
  [of('sayso_journal_oldest_seconds', { state: 'pending' })]: '30x90',
  [of('sayso_database_available')]: '1x90',
  [of('sayso_platform_breaker', { operation: 'read-subject' })]: '0x90',
  [call('ok')]: '0+9x90',
  [of('sayso_platform_paced_total', person)]: '0x90',
  [of('sayso_stuck_tasks_total', { outcome: 'made' })]: '2x90',
  [of('sayso_stuck_tasks_total', { outcome: 'closed' })]: '0+1x90',
  [answers('200')]: '0+9x90',
  [of('sayso_shed_total', { class: 'read' })]: '0x90',
  [of('sayso_event_loop_delay_seconds')]: '0.002x90',
  [of('sayso_internal_errors_total', { error: 'old' })]: '1x90',
  [of('sayso_dropped_items_total', { center })]: '0x90',
  [of('sayso_no_such_purpose_total', { center })]: '0x90',
  [of('sayso_passcodes_under_attack')]: '0x90',
  [of('sayso_sign_in_messages_total', { outcome: 'refused' })]: '0+1x90',
  [of('sayso_events', { center, state: 'waiting' })]: '4x90',
  [of('sayso_events', { center, state: 'held' })]: '0x90',
  [of('sayso_messages', { state: 'held' })]: '0x90',
};

/** The cases in which each alert must fire, from minute 60 on. */
const happens: Readonly<Record<string, readonly Series[]>> = {
  SaysoJournalGone: [
    Object.fromEntries(
      ['pending', 'done'].map((state) => [of('sayso_journal_submissions', { state }), '0x60 stale']),
    ),
  ],
  SaysoDatabaseAway: [{ [of('sayso_database_available')]: '1x60 0x30' }],
  SaysoWithdrawalsWait: [{ [of('sayso_journal_oldest_seconds', { state: 'pending' })]: '30x60 901x30' }],
  SaysoWithdrawalStuck: [
    { [of('sayso_stuck_tasks_total', { outcome: 'made' })]: '0x60 1x30' },
    { [of('sayso_stuck_tasks_total', { outcome: 'refused' })]: '0x60 1x30' },
    { [of('sayso_stuck_tasks_total', { outcome: 'lost' })]: '0x60 1x30' },
  ],
  SaysoPlatformDenies: [{ [call('platform-denied')]: '0x60 1+1x30' }],
  SaysoPlatformLimits: [{ [call('platform-busy')]: '_x60 1x30' }, { [call('platform-busy')]: '7x60 8x30' }],
  SaysoQuotaUsedUp: [{ [of('sayso_platform_paced_total', person)]: '0x60 1+1x30' }],
  SaysoWrongSubject: [{ [call('wrong-subject')]: '_x60 1x30' }, { [call('wrong-subject')]: '1x60 2x30' }],
  SaysoCircuitOpen: [{ [of('sayso_platform_breaker', { operation: 'read-subject' })]: '0x60 2x30' }],
  SaysoShedding: [{ [of('sayso_shed_total', { class: 'read' })]: '0x60 1+1x30' }],
  SaysoLoopLate: [{ [of('sayso_event_loop_delay_seconds')]: '0.002x60 0.2x30' }],
  SaysoInternalErrors: [
    { [of('sayso_internal_errors_total', { error: 'TypeError' })]: '_x60 1x30' },
    { [of('sayso_internal_errors_total', { error: 'old' })]: '1x60 2x30' },
  ],
  SaysoServerErrors: [{ [answers('500')]: '_x60 1+1x30' }],
  SaysoPostsRefused: [{ [answers('503')]: '0x60 1+1x30' }],
  SaysoSchemaInPart: [{ [of('sayso_dropped_items_total', { center })]: '0x60 1x30' }],
  SaysoPasscodesGuessed: [{ [of('sayso_passcodes_under_attack')]: '0x60 1x30' }],
  SaysoMessagesAtBound: [{ [of('sayso_sign_in_messages_total', { outcome: 'refused' })]: '0x60 40+40x30' }],
  SaysoReceiverFails: [
    { [of('sayso_events', { center, state: 'held' })]: '0x60 1x30' },
    { [of('sayso_events', { center, state: 'stopped' })]: '_x60 1x30' },
  ],
  SaysoMessagesHeld: [{ [of('sayso_messages', { state: 'held' })]: '0x60 1x30' }],
  SaysoNoSuchPurpose: [{ [of('sayso_no_such_purpose_total', { center })]: '0x60 1x30' }],
};

/** Minutes for which the condition must hold before the alert fires. */
function heldFor(alert: string | undefined): number {
  return Number.parseInt(rules.find((rule) => rule.alert === alert)?.for ?? '0', 10);
}

/** Builds a test of promtool: no alert fires before minute 60, and only `fired` after it. */
function ruleTest(name: string, change: Series, fired: string | undefined) {
  const series = { ...quiet, ...change };
  const firing = (minute: number, names: readonly string[]) => ({
    expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
    eval_time: `${minute}m`,
    exp_samples: names.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
  });
  return {
    name,
    interval: '1m',
    input_series: Object.entries(series).map(([key, values]) => ({ series: key, values })),
    promql_expr_test: [firing(59, []), firing(66 + heldFor(fired), fired === undefined ? [] : [fired])],
  };
}

suite('An alert', () => {
  test('the runbook and the rules have the same alerts, as far as metrics can show them', () => {
    const [, table = ''] = /\n## Alerts\n([\s\S]*?)\n## /.exec(readText('docs/runbook.md')) ?? [];
    const rows = [...table.matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm)].map(([, name = '', when = '']) => ({
      name,
      when,
    }));
    const alerts = rows
      .filter(({ when }) => when.includes('sayso_') || when.includes('outcome='))
      .map(({ name }) => name);
    assert.ok(alerts.length > 15);
    assert.deepEqual([...new Set(rules.map(({ annotations }) => annotations.runbook))].sort(), alerts.sort());
  });

  test('rules and dashboard use only existing metrics', async () => {
    const build = { version: '1', host: 'a' };
    const metrics = createMetrics({ build, classes: [], operations: [], hasDatabase: true });
    const journal = { counts: async () => [] };
    metrics.watch({ journal, clock: { now: () => 0 }, loopDelay: () => 0, inFlight: () => 0 });
    metrics.platform.watchQuota(() => undefined);
    metrics.signIn.watch(async () => false);
    metrics.messages.watch(async () => []);
    metrics.events.watch(async () => []);
    const known = new Set([...(await metrics.print()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
    const asked = [...rules.map(({ expr }) => expr), ...queries].flatMap((expr) =>
      [...expr.matchAll(/\bsayso_\w+/g)].map(([name]) => name.replace(/_(count|bucket|sum)$/, '')),
    );
    assert.ok(asked.length > 40);
    assert.deepEqual(
      asked.filter((name) => !known.has(name)),
      [],
    );
  });

  test('Prometheus can read the rules and the queries of the dashboard', { skip }, () => {
    execFileSync(promtool, ['check', 'rules', join(root, file)], { stdio: 'pipe' });
    const asRules = queries.map((expr, index) => ({
      record: `query:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', '.*'),
    }));
    const written = join(home, 'dashboard.yaml');
    writeFileSync(written, stringify({ groups: [{ name: 'dashboard', rules: asRules }] }));
    execFileSync(promtool, ['check', 'rules', written], { stdio: 'pipe' });
  });

  test('each alert fires in its cases, and no other alert does', {
    skip,
  }, () => {
    assert.deepEqual(Object.keys(happens).sort(), rules.map(({ alert }) => alert).sort());
    const tests = Object.entries(happens).flatMap(([alert, cases]) =>
      cases.map((change, index) => ruleTest(`${alert} ${index}`, change, alert)),
    );
    const written = join(home, 'tests.yaml');
    writeFileSync(
      written,
      stringify({
        rule_files: [join(root, file)],
        evaluation_interval: '1m',
        tests: [ruleTest('quiet', {}, undefined), ...tests],
      }),
    );
    const { status, stdout, stderr } = spawnSync(promtool, ['test', 'rules', written], { encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  });
});
