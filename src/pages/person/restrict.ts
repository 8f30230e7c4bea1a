import { maskIdentifier, readSubjectId } from '../../core/model/subject.ts';
import type { ItemView, PreferencePage, PurposeView } from './preferences-view.ts';
import { nothingOnRecord } from './profile.ts';

/** A page as somebody sees it who may only withdraw: data masked, nothing offered that can be switched on. */
export function restrictPage(
  page: PreferencePage,
  stepUp: { readonly title: string; readonly text: string; readonly href: string; readonly label: string },
): PreferencePage {
  return {
    ...page,
    notes: [...page.notes, { tone: 'info', title: stepUp.title, lines: [stepUp.text], receipt: undefined }],
    stepUp: { href: stepUp.href, label: stepUp.label },
    sections: page.sections.map((section) => ({ ...section, items: section.items.map(restrictItem) })),
    actions: { ...page.actions, subscribeAll: undefined },
    keepLanguage: undefined,
  };
}

function restrictItem(item: ItemView): ItemView {
  if (item.kind === 'text') return item;
  if (item.kind === 'purpose') return restrictPurpose(item);
  return {
    ...item,
    control: 'static',
    value: item.value === nothingOnRecord ? item.value : maskValue(item.value) || nothingOnRecord,
    options: [],
    required: undefined,
    mistake: undefined,
  };
}

function restrictPurpose(purpose: PurposeView): PurposeView {
  const isOff = !purpose.checked;
  const restrict = <T extends { value: string; checked: boolean; disabled: boolean }>(choice: T): T => ({
    ...choice,
    disabled: choice.disabled || isOff || (!choice.checked && choice.value !== ''),
  });
  return {
    ...purpose,
    disabled: purpose.disabled || isOff,
    topics: purpose.topics && { ...purpose.topics, choices: purpose.topics.choices.map(restrict) },
    preferences: purpose.preferences.map((each) => ({
      ...each,
      disabled: each.disabled || isOff,
      choices: each.choices.map(restrict),
    })),
  };
}

/** `Anna` → `A•••`, `anna@example.org` → `a•••@example.org`; what is short, or no word, says nothing at all. */
export function maskValue(value: string): string {
  if (value.trim() === '') return '';
  const id = value.includes('@') ? readSubjectId(value) : undefined;
  if (id !== undefined) return maskIdentifier(id);
  const characters = [...value.trim()];
  return characters.length > 3 && /^\p{L}/u.test(value.trim()) ? `${characters[0]}•••` : '•••';
}
