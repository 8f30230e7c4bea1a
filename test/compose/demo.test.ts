import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { suite, test } from 'node:test';
import { startDemo } from '../../src/compose/demo.ts';
import { readConfig } from '../../src/config/environment.ts';
import { freePorts } from '../kit/product.ts';
import { until } from '../kit/until.ts';

suite('The port of the customer site of the demo', () => {
  test('the port is the requested one while it is free', async () => {
    const [port = 0, demoPort = 0] = await freePorts(2);
    await using demo = await demoOf({ PORT: port, DEMO_PORT: demoPort });
    assert.equal(demo.origin, `http://localhost:${demoPort}`);
    await demo.answers();
  });

  for (const host of ['127.0.0.1', '::1']) {
    test(`the port is another one if another program uses it at ${host}`, async (t) => {
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
        await demo.answers();
      } finally {
        other.close();
      }
    });
  }

  test('the port is none that the product uses later', async () => {
    const [port = 0, metrics = 0, sandbox = 0] = await freePorts(3);
    for (const taken of [port, metrics, sandbox]) {
      const ports = { PORT: port, METRICS_PORT: metrics, SANDBOX_PORT: sandbox, DEMO_PORT: taken };
      await using demo = await demoOf(ports);
      assert.notEqual(demo.origin, `http://localhost:${taken}`);
    }
  });

  test('the port skips the next one of the product if the sandbox has it', async () => {
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
    answers: () =>
      until(async () => {
        const answer = await fetch(demo.origin).catch(() => undefined);
        return /<h1>Harbour Books<\/h1>/.test((await answer?.text()) ?? '');
      }, 'the demo answers'),
    [Symbol.asyncDispose]: demo.close,
  };
}
