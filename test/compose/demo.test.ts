import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { suite, test } from 'node:test';
import { startDemo } from '../../src/compose/demo.ts';
import { readConfig } from '../../src/config/environment.ts';
import { freePorts } from '../kit/product.ts';
import { until } from '../kit/until.ts';

suite('The port of the demo’s customer site', () => {
  test('is the one that was asked for, while it is free.', async () => {
    const [port = 0, demoPort = 0] = await freePorts(2);
    await using demo = await demoOf({ PORT: port, DEMO_PORT: demoPort });
    assert.equal(demo.origin, `http://localhost:${demoPort}`);
    await demo.isThere();
  });

  for (const host of ['127.0.0.1', '::1']) {
    test(`is another one where another program has it at ${host}, which would be taken for it.`, async (t) => {
      const [port = 0] = await freePorts(1);
      const other = createServer((_request, response) => response.end('another program'));
      const isHeld = await once(other.listen(0, host), 'listening').then(
        () => true,
        () => false,
      );
      if (!isHeld) return t.skip(`no ${host} here`);
      const taken = (other.address() as { port: number }).port;
      try {
        await using demo = await demoOf({ PORT: port, DEMO_PORT: taken });
        assert.notEqual(demo.origin, `http://localhost:${taken}`);
        await demo.isThere();
      } finally {
        other.close();
      }
    });
  }

  test('is none of the product’s own, at which it begins to listen only later.', async () => {
    const [port = 0, metrics = 0, sandbox = 0] = await freePorts(3);
    for (const taken of [port, metrics, sandbox]) {
      const ports = { PORT: port, METRICS_PORT: metrics, SANDBOX_PORT: sandbox, DEMO_PORT: taken };
      await using demo = await demoOf(ports);
      assert.notEqual(demo.origin, `http://localhost:${taken}`);
    }
  });

  test('is not the next one to the product’s, where that is the sandbox’s.', async () => {
    const [port = 0] = await freePorts(1);
    await using demo = await demoOf({ PORT: port, SANDBOX_PORT: port + 1 });
    assert.notEqual(demo.origin, `http://localhost:${port + 1}`);
  });
});

async function demoOf(ports: Readonly<Record<string, number>>) {
  const settings = Object.entries(ports).map(([name, port]) => [name, String(port)]);
  const env = { SANDBOX: 'on', ...Object.fromEntries(settings) };
  const demo = await startDemo(readConfig(env, () => assert.fail('no file is read')));
  assert.ok(demo !== undefined);
  return {
    ...demo,
    isThere: () =>
      until(async () => {
        const answer = await fetch(demo.origin).catch(() => undefined);
        return /<h1>Harbour Books<\/h1>/.test((await answer?.text()) ?? '');
      }, 'the demo comes'),
    [Symbol.asyncDispose]: demo.close,
  };
}
