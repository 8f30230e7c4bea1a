import {
  type CollaboratorDraft,
  chosenSuffix,
  emptyCollaborator,
  emptyParameter,
  type ParameterDraft,
} from '../../../core/model/staff/task-draft.ts';
import { taskLimits } from '../../../core/model/staff/task-form.ts';
import type { RowsField } from '../../../pages/staff-fields.ts';
import { input, select } from './blocks.ts';
import type { KnownThing } from './task-choices.ts';

type MistakeOf = (field: string) => string | undefined;

/** By name where people are known, by id behind that, and by e-mail. */
export function collaboratorRows(
  drafts: readonly CollaboratorDraft[],
  mistakeOf: MistakeOf,
  people: readonly KnownThing[],
): RowsField {
  return {
    kind: 'rows',
    id: 'collaborators',
    legend: 'Collaborators',
    hint: people.length === 0 ? byIdOrMail : `Each by name, by id or by e-mail. ${empty}`,
    rows: [...drafts, ...(drafts.length === 0 ? [emptyCollaborator] : [])].map((one, at) => ({
      legend: `Collaborator ${at + 1}`,
      fields: collaboratorFields(one, { row: `collaborators.${at}`, mistakeOf, people }),
    })),
    add: { name: 'action', value: 'add-collaborator', label: 'Add a collaborator', tone: 'ordinary' },
  };
}

const empty = 'Rows that are empty are not sent.';
const byIdOrMail = 'Each by id or by e-mail. Rows without both are not sent.';

function collaboratorFields(
  one: CollaboratorDraft,
  {
    row,
    mistakeOf,
    people,
  }: { readonly row: string; readonly mistakeOf: MistakeOf; readonly people: readonly KnownThing[] },
): RowsField['rows'][number]['fields'] {
  const wanted = `${one.type}:${one.id.toLowerCase()}`;
  const known = people.map(({ id, name, type = 'user' }): [string, string] => [
    `${type}:${id}`,
    type === 'group' ? `${name} (group)` : name,
  ]);
  const isKnown = known.some(([value]) => value === wanted);
  const typed = [
    select({
      id: `${row}.type`,
      label: 'Kind',
      mistake: mistakeOf(`${row}.type`),
      from: [
        ['user', 'User'],
        ['group', 'Group'],
      ],
      chosen: one.type,
    }),
    input({
      id: `${row}.collaboratorId`,
      label: 'Id',
      value: isKnown ? '' : one.id,
      mistake: mistakeOf(`${row}.collaboratorId`),
    }),
  ];
  const email = input({
    id: `${row}.collaboratorEmail`,
    label: `E-mail (at most ${taskLimits.collaboratorEmail})`,
    type: 'email',
    value: one.email,
    mistake: mistakeOf(`${row}.collaboratorEmail`),
  });
  if (known.length === 0) return [...typed, email];
  const isTyped = (one.id !== '' && !isKnown) || typed.some(({ mistake }) => mistake !== undefined);
  return [
    select({
      id: `${row}.collaboratorId${chosenSuffix}`,
      label: 'Name',
      from: [['', 'Not assigned'], ...known],
      chosen: isKnown ? wanted : '',
    }),
    email,
    { kind: 'folded', id: `${row}.other`, label: 'Somebody else, by id', open: isTyped, fields: typed },
  ];
}

export function parameterRows(
  drafts: readonly ParameterDraft[],
  mistakeOf: MistakeOf,
  hint: string,
): RowsField {
  return {
    kind: 'rows',
    id: 'parameters',
    legend: 'Context parameters',
    hint,
    rows: [...drafts, ...(drafts.length === 0 ? [emptyParameter] : [])].map((one, at) => {
      const row = `parameters.${at}`;
      return {
        legend: `Parameter ${at + 1}`,
        fields: [
          input({ id: `${row}.name`, label: 'Name', value: one.name, mistake: mistakeOf(`${row}.name`) }),
          select({
            id: `${row}.type`,
            label: 'Kind',
            from: [
              ['text', 'Text'],
              ['number', 'Number'],
              ['flag', 'True or false'],
              ['object', 'Object (JSON)'],
            ],
            chosen: one.type,
          }),
          input({ id: `${row}.value`, label: 'Value', value: one.value, mistake: mistakeOf(`${row}.value`) }),
        ],
      };
    }),
    add: { name: 'action', value: 'add-parameter', label: 'Add a parameter', tone: 'ordinary' },
  };
}
