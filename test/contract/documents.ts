import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import * as z from 'zod';

export const documentNames = ['preference-centers', 'privacy-notices', 'tasks'] as const;
export type DocumentName = (typeof documentNames)[number];

const content = z.object({ schema: z.object({ $ref: z.string() }) });
const operation = z.object({
  responses: z.record(z.string(), z.object({ content: z.record(z.string(), z.unknown()).optional() })),
});
const documentShape = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

function load(name: DocumentName) {
  return documentShape.parse(JSON.parse(readFileSync(join(import.meta.dirname, `${name}.json`), 'utf8')));
}

/** The platform's published API documents, by name. */
export const documents: Readonly<Record<DocumentName, z.output<typeof documentShape>>> = {
  'preference-centers': load('preference-centers'),
  'privacy-notices': load('privacy-notices'),
  tasks: load('tasks'),
};

/** Validator of JSON Schema; it also checks formats such as `uuid` and `date-time`. */
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
for (const name of documentNames) ajv.addSchema({ $id: name, ...documents[name] });

/** Returns what a body breaks of a schema such as `tasks#/components/schemas/TaskInformation`. */
export function schemaFault(schema: string, body: unknown): string | undefined {
  const validate = ajv.getSchema(schema);
  if (validate === undefined) throw new Error(`the contract has no ${schema}`);
  return validate(body) ? undefined : ajv.errorsText(validate.errors?.slice(0, 5), { separator: '\n' });
}

/** Schemas of all successful answers. Some documents omit the beginning of their paths. */
const answers = documentNames.flatMap((name) =>
  Object.entries(documents[name].paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.entries(responses)
        .filter(([status]) => status.startsWith('2'))
        .map(([status, answer]) => ({
          call: `${method.toUpperCase()} ${status}`,
          path: new RegExp(`${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
          schema: name + content.parse(answer.content?.['application/json']).schema.$ref,
        })),
    ),
  ),
);

/** Returns what an answer breaks of the contract; undefined when nothing, or when no schema describes it. */
export function answerFault(
  method: string,
  path: string,
  { status, body }: { readonly status: number; readonly body: unknown },
): string | undefined {
  const [place = ''] = path.split('?');
  const found = answers.find((each) => each.call === `${method} ${status}` && each.path.test(place));
  return found === undefined ? undefined : schemaFault(found.schema, body);
}
