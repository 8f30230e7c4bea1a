import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** `uuid`, `date-time` and the like are checked as their standards have them. */
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);

for (const name of ['preference-centers', 'privacy-notices', 'tasks']) {
  const document: unknown = JSON.parse(
    readFileSync(join(import.meta.dirname, `../contract/${name}.json`), 'utf8'),
  );
  ajv.addSchema({ $id: name, ...(document as object) });
}

/** What each call is answered with: a name of a document, and of its schema. */
const ANSWERS: readonly [method: string, path: RegExp, status: number, document: string, schema: string][] = [
  ['GET', /\/v1\/preferencecenters\/[^/]+\/preferences$/, 200, 'preference-centers', 'PreferenceCenterDto'],
  ['GET', /\/datasubjects\/preferences$/, 200, 'preference-centers', 'PreferenceCenterPurposesByIdentifier'],
  ['PUT', /\/datasubjects\/preferences$/, 200, 'preference-centers', 'DataSubjectPreferencesResponseDto'],
  ['DELETE', /\/datasubjects\/preferences$/, 200, 'preference-centers', 'DataSubjectPreferencesResponseDto'],
  ['GET', /\/v2\/preferencecenters$/, 200, 'preference-centers', 'PagePreferenceCenterSummaryDtoV2'],
  [
    'GET',
    /\/v2\/preferencecenters\/[^/]+\/schema$/,
    200,
    'preference-centers',
    'AdvancedPreferenceCenterDto_RootPublicAPI',
  ],
  [
    'GET',
    /\/v2\/preferencecenterpage\/[^/]+\/schema$/,
    200,
    'preference-centers',
    'PreferenceCenterPageDto_PagePublicAPI',
  ],
  ['GET', /\/privacynotices$/, 200, 'privacy-notices', 'PagePrivacyNoticeDtoV2'],
  ['GET', /\/privacynotices\/[^/]+$/, 200, 'privacy-notices', 'PrivacyNoticeWithVersionDtoV2'],
  [
    'GET',
    /\/privacynotices\/[^/]+\/versions$/,
    200,
    'privacy-notices',
    'PagePrivacyNoticeVersionDetailsDtoV2',
  ],
  ['POST', /\/tasks$/, 201, 'tasks', 'TaskInformation'],
  ['GET', /\/tasks\/[^/]+$/, 200, 'tasks', 'TaskInformation'],
  ['PUT', /\/tasks\/[^/]+$/, 200, 'tasks', 'TaskInformation'],
];

const compiled = new Map<string, ValidateFunction>();

function validator(schema: string): ValidateFunction {
  const known = compiled.get(schema) ?? ajv.compile({ $ref: schema });
  compiled.set(schema, known);
  return known;
}

/** What is wrong with an answer; undefined when the contract says nothing of it or all is well. */
export function contractFault(
  method: string,
  path: string,
  status: number,
  body: unknown,
): string | undefined {
  const found = ANSWERS.find(([m, p, s]) => m === method && s === status && p.test(path.split('?')[0] ?? ''));
  if (found === undefined) return undefined;
  const [, , , document, schema] = found;
  const validate = validator(`${document}#/components/schemas/${schema}`);
  return validate(body) ? undefined : ajv.errorsText(validate.errors?.slice(0, 5), { separator: '\n' });
}
