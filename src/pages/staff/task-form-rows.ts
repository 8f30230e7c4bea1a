import {
  type CollaboratorDraft,
  emptyCollaborator,
  emptyParameter,
  type ParameterDraft,
} from '../../core/model/task-draft.ts';
import { taskLimits } from '../../core/model/task-form.ts';
import { input, options, select } from './blocks.ts';
import type { RowsField } from './every-page.ts';

type MistakeOf = (field: string) => string | undefined;

export function collaboratorRows(drafts: readonly CollaboratorDraft[], mistakeOf: MistakeOf): RowsField {
  return {
    kind: 'rows',
    id: 'collaborators',
    legend: 'Collaborators',
    hint: 'Each by id or by e-mail. Rows without both are not sent.',
    rows: [...drafts, ...(drafts.length === 0 ? [emptyCollaborator] : [])].map((one, at) => {
      const row = `collaborators.${at}`;
      return {
        legend: `Collaborator ${at + 1}`,
        fields: [
          select({
            id: `${row}.type`,
            label: 'Kind',
            mistake: mistakeOf(`${row}.type`),
            options: options(
              [
                ['user', 'User'],
                ['group', 'Group'],
              ],
              one.type,
            ),
          }),
          input({
            id: `${row}.collaboratorId`,
            label: 'Id',
            value: one.id,
            mistake: mistakeOf(`${row}.collaboratorId`),
          }),
          input({
            id: `${row}.collaboratorEmail`,
            label: `E-mail (at most ${taskLimits.collaboratorEmail})`,
            type: 'email',
            value: one.email,
            mistake: mistakeOf(`${row}.collaboratorEmail`),
          }),
        ],
      };
    }),
    add: { name: 'action', value: 'add-collaborator', label: 'Add a collaborator', tone: 'ordinary' },
  };
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
          input({
            id: `${row}.name`,
            label: 'Name',
            value: one.name,
            mistake: mistakeOf(`${row}.name`),
          }),
          select({
            id: `${row}.type`,
            label: 'Kind',
            options: options(
              [
                ['text', 'Text'],
                ['number', 'Number'],
                ['flag', 'True or false'],
                ['object', 'Object (JSON)'],
              ],
              one.type,
            ),
          }),
          input({
            id: `${row}.value`,
            label: 'Value',
            value: one.value,
            mistake: mistakeOf(`${row}.value`),
          }),
        ],
      };
    }),
    add: { name: 'action', value: 'add-parameter', label: 'Add a parameter', tone: 'ordinary' },
  };
}
