import type { DataElement } from '../model/center/center.ts';
import type { DataElementChange } from '../model/submission/intent.ts';
import { readInput } from './element-value.ts';
import type { FormSnapshot } from './form-snapshot.ts';
import { elementFor } from './identifier-element.ts';
import type { Mistake } from './mistake.ts';

/**
 * Compares typed values with those that were shown. A wrong value keeps its text, to be shown again.
 * `mayLackValues`: the form grants nothing, so an empty required element that was not touched is no mistake.
 * `hasUnknown`: a value was posted for an element that is hidden, of another page, or unknown.
 */
export function readElements(form: {
  readonly elements: ReadonlyMap<string, DataElement>;
  readonly snapshot: FormSnapshot;
  readonly typed: Readonly<Record<string, string>>;
  readonly mayLackValues: boolean;
  readonly subject: string;
}) {
  const changes: DataElementChange[] = [];
  const mistakes: Mistake[] = [];
  const lacking: Mistake[] = [];
  const displayed = new Map(form.snapshot.dataElements.map((line) => [line.id, line]));
  let hasUnknown = false;
  for (const [id, text] of Object.entries(form.typed)) {
    const listed = form.elements.get(id);
    const line = displayed.get(id);
    const recorded = line?.value ?? '';
    const element = listed && elementFor(listed, { recorded, subject: form.subject });
    if (element === undefined || element.hidden || (line === undefined && !element.readOnly)) {
      hasUnknown = true;
      continue;
    }
    const field = `element.${id}`;
    const read = readInput(element, text, recorded);
    if (read.kind === 'unchanged') {
      if (element.required && !element.readOnly && text.trim() === '')
        lacking.push({ field, kind: 'required' });
      continue;
    }
    if (element.readOnly) {
      mistakes.push({ field, kind: 'read-only' });
      continue;
    }
    if (read.kind === 'mistake') mistakes.push({ field, kind: read.mistake });
    const value = read.kind === 'mistake' ? text : read.value;
    changes.push({ element: id, label: element.label, value });
  }
  if (!form.mayLackValues || changes.length > 0) mistakes.push(...lacking);
  return { changes, mistakes, hasUnknown };
}
