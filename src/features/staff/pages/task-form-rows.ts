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

/** By name where people are known, by id behind that, and by e-mail. */
export function collaboratorRows(
  drafts: readonly CollaboratorDraft[],
  people: readonly KnownThing[],
): RowsField {
  return {
    kind: 'rows',
    id: 'collaborators',
    legend: 'Collaborators',
    hint: people.length === 0 ? byIdOrMail : `Each by name, by id or by e-mail. ${empty}`,
    rows: [...drafts, ...(drafts.length === 0 ? [emptyCollaborator] : [])].map((one, at) => ({
      legend: `Collaborator ${at + 1}`,
      fields: collaboratorFields(one, { row: `collaborators.${at}`, people }),
    })),
    add: { name: 'action', value: 'add-collaborator', label: 'Add a collaborator', tone: 'ordinary' },
  };
}

const empty = 'Rows that are empty are not sent.';
const byIdOrMail = 'Each by id or by e-mail. Rows without both are not sent.';

function collaboratorFields(
  one: CollaboratorDraft,
  { row, people }: { readonly row: string; readonly people: readonly KnownThing[] },
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
    }),
  ];
  const email = input({
    id: `${row}.collaboratorEmail`,
    label: `E-mail (at most ${taskLimits.collaboratorEmail})`,
    type: 'email',
    value: one.email,
  });
  if (known.length === 0) return [...typed, email];
  const isTyped = one.id !== '' && !isKnown;
  return [
    select({
      id: `${row}.collaboratorId${chosenSuffix}`,
      label: 'Name',
      from: [['', 'Not assigned'], ...known],
      chosen: isKnown ? wanted : '',
    }),
    email,
    { kind: 'folded', id: `${row}.other`, label: 'Someone else, by id', open: isTyped, fields: typed },
  ];
}

export function parameterRows(drafts: readonly ParameterDraft[], hint: string): RowsField {
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
          input({ id: `${row}.name`, label: 'Name', value: one.name }),
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
          input({ id: `${row}.value`, label: 'Value', value: one.value }),
        ],
      };
    }),
    add: { name: 'action', value: 'add-parameter', label: 'Add a parameter', tone: 'ordinary' },
  };
}
