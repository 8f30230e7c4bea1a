import {
  type CollaboratorDraft,
  chosenSuffix,
  emptyCollaborator,
  emptyParameter,
  type ParameterDraft,
} from '../../core/model/staff/task-draft.ts';
import { taskLimits } from '../../core/model/staff/task-form.ts';
import type { Field, InputField, RowsField } from '../../pages/staff-fields.ts';
import { input, options, select } from './blocks.ts';
import type { KnownThing, Named } from './names.ts';

/** Choices that the form offers, so that ids need not be typed. */
export interface TaskChoices {
  readonly people: readonly KnownThing[];
  readonly organizations: readonly Named[];
  /** Records that a task may belong to, newest first under each heading. */
  readonly parents: readonly { readonly label: string; readonly things: readonly Named[] }[];
}

/** Longest useful menu. */
const mostOffered = 50;

interface Chooser {
  readonly field: InputField;
  readonly nothing: string;
  /** The label that unfolds the field for a typed id. */
  readonly other: string;
  readonly groups: TaskChoices['parents'];
}

/** A menu of known things with a folded field for a typed id; only that field if nothing is known. */
export function choose({ field, nothing, other, groups }: Chooser): readonly Field[] {
  const wanted = field.value.toLowerCase();
  const offered = groups
    .map(({ label, things }) => ({ label, options: options(things.slice(0, mostOffered), wanted) }))
    .filter((group) => group.options.length > 0);
  if (offered.length === 0) return [field];
  const isOffered = offered.some((group) => group.options.some(({ selected }) => selected));
  /** Options of a single group are shown without a heading. */
  const alone = offered.length === 1 ? offered.flatMap((group) => group.options) : [];
  return [
    select({
      id: `${field.id}${chosenSuffix}`,
      label: field.label,
      required: field.required,
      options: [...options([['', nothing]], isOffered ? wanted : ''), ...alone],
      groups: offered.length === 1 ? [] : offered,
    }),
    {
      kind: 'folded',
      id: `${field.id}-other`,
      label: other,
      open: field.value !== '' && !isOffered,
      fields: [
        input({
          ...field,
          label: `${field.label}: id`,
          hint: `What is written here counts, whatever is chosen above. ${field.hint ?? ''}`.trim(),
          value: isOffered ? '' : field.value,
          required: undefined,
        }),
      ],
    },
  ];
}

/** Rows of collaborators: by name if people are known, with a folded field for an id, and by e-mail. */
export function collaboratorRows(
  drafts: readonly CollaboratorDraft[],
  people: readonly KnownThing[],
): RowsField {
  return {
    kind: 'rows',
    id: 'collaborators',
    legend: 'Collaborators',
    hint:
      people.length === 0
        ? 'Each by id or by e-mail. Rows without both are not sent.'
        : 'Each by name, by id or by e-mail. Rows that are empty are not sent.',
    rows: (drafts.length === 0 ? [emptyCollaborator] : drafts).map((one, at) => ({
      legend: `Collaborator ${at + 1}`,
      fields: collaboratorFields(one, `collaborators.${at}`, people),
    })),
    add: { name: 'action', value: 'add-collaborator', label: 'Add a collaborator', tone: 'ordinary' },
  };
}

function collaboratorFields(
  one: CollaboratorDraft,
  row: string,
  people: readonly KnownThing[],
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
      none: 'Not assigned',
      from: known,
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
    rows: (drafts.length === 0 ? [emptyParameter] : drafts).map((one, at) => {
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
