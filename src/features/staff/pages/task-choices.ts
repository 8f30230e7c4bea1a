import { chosenSuffix } from '../../../core/model/staff/task-draft.ts';
import type { FoldedField, InputField, SelectField } from '../../../pages/staff-fields.ts';
import { input, options, select } from './blocks.ts';
import type { Named } from './names.ts';

/** Of who can be assigned. */
export interface KnownThing extends Named {
  readonly type?: 'user' | 'group' | undefined;
}

/** What is offered in place of ids to be typed. */
export interface TaskChoices {
  readonly people: readonly KnownThing[];
  readonly organizations: readonly Named[];
  /** What a task may belong to: under each heading the newest first. */
  readonly parents: readonly { readonly label: string; readonly things: readonly Named[] }[];
}

/** A menu longer than this is no help. */
const mostOffered = 50;

interface Chooser {
  readonly field: InputField;
  readonly nothing: string;
  /** Leads to the field that is typed. */
  readonly other: string;
  readonly groups: readonly { readonly label: string; readonly things: readonly Named[] }[];
}

/** A menu of what is known, and behind it the field to type an id into; that field alone where nothing is known. */
export function choose({
  field,
  nothing,
  other,
  groups,
}: Chooser): readonly (InputField | SelectField | FoldedField)[] {
  const offered = groups
    .map(({ label, things }) => ({ label, things: things.slice(0, mostOffered) }))
    .filter(({ things }) => things.length > 0);
  if (offered.length === 0) return [field];
  const wanted = field.value.toLowerCase();
  const isOffered = offered.some(({ things }) => things.some(({ id }) => id === wanted));
  const displayed = offered.map(({ label, things }) => ({ label, options: options(things, wanted) }));
  const isAlone = displayed.length === 1;
  return [
    select({
      id: `${field.id}${chosenSuffix}`,
      label: field.label,
      required: field.required,
      options: [
        ...options([['', nothing]], isOffered ? wanted : ''),
        ...(isAlone ? (displayed[0]?.options ?? []) : []),
      ],
      groups: isAlone ? [] : displayed,
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
