import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

export const root = join(import.meta.dirname, '..', '..');

export function readText(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Reads the documents of a YAML file, strictly, so that all readers of YAML understand them alike. */
export function readYaml(file: string): readonly unknown[] {
  return parseAllDocuments(readText(file), { merge: true, strict: true, uniqueKeys: true }).map(
    (document) => {
      assert.deepEqual([...document.errors, ...document.warnings], [], file);
      return document.toJS();
    },
  );
}

/** Lists what a value breaks of a schema. */
export function faultsOf(schema: z.ZodType, value: unknown): readonly string[] {
  const { error } = schema.safeParse(value);
  return error === undefined ? [] : [z.prettifyError(error)];
}

export interface Image {
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly hasHealthCheck: boolean;
}

/** Reads the last stage of the Dockerfile. */
export function readImage(): Image {
  const stages = readText('Dockerfile')
    .replaceAll('\\\n', ' ')
    .split(/^FROM .*$/m);
  const last = stages.at(-1) ?? '';
  const [, assigned = ''] = /^ENV (.*)$/m.exec(last) ?? [];
  const environment = [...assigned.matchAll(/(\w+)=(\S+)/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
  return {
    environment: Object.fromEntries(environment),
    command: JSON.parse(/^CMD (\[.*\])$/m.exec(last)?.[1] ?? '[]'),
    hasHealthCheck: /^HEALTHCHECK .*\s+CMD \[/m.test(last),
  };
}
