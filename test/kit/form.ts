import { around, type Element, readLoosely } from './html.ts';

export interface Control {
  readonly tag: 'input' | 'select' | 'textarea' | 'button';
  readonly type: string;
  readonly name: string;
  readonly id: string | undefined;
  readonly disabled: boolean;
  readonly readOnly: boolean;
  readonly maxLength: number | undefined;
  /** The entries of a select; no others have any. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** The address of a button that posts elsewhere than its form. */
  readonly formAction: string | undefined;
  /** The text of its labels, else its `aria-label`. */
  readonly label: string;
  value: string;
  checked: boolean;
}

/** A form as a browser has it: what a person can do in it, and the fields that it then posts. */
export interface Form {
  readonly action: string;
  readonly method: string;
  readonly controls: readonly Control[];
  /** Ticks a checkbox; `value` tells apart checkboxes of one name. */
  tick(name: string, value?: string): Form;
  untick(name: string, value?: string): Form;
  /** Chooses a radio button or an entry of a select. */
  choose(name: string, value: string): Form;
  type(name: string, text: string): Form;
  isTicked(name: string, value?: string): boolean;
  valueOf(name: string): string | undefined;
  has(name: string, value?: string): boolean;
  /** The address and fields of a post by the button, or by Enter. */
  press(button?: { readonly name: string; readonly value: string }): {
    action: string;
    fields: [string, string][];
  };
}

/** The button of a form that saves. */
export const save = { name: 'action', value: 'save' };

/** Ids of the purposes that may be switched, on and off; `off` leaves out purposes with options. */
export function switches(form: Form): { on: string[]; off: string[] } {
  const free = form.controls.filter(
    ({ name, type, disabled }) => name === 'purpose' && type === 'checkbox' && !disabled,
  );
  const isPlain = ({ value }: { value: string }) =>
    !form.controls.some(({ name }) => name.startsWith(`option.${value}.`));
  return {
    on: free.filter(({ checked }) => checked).map(({ value }) => value),
    off: free.filter((control) => !control.checked && isPlain(control)).map(({ value }) => value),
  };
}

/**
 * The only form in the page's `<main>` that has a token, in a field or its address; with `which`, the only
 * form of the page with that control or action. Throws unless there is exactly one.
 */
export function readForm(html: string, which?: string | RegExp): Form {
  const main = /<main\b[\s\S]*<\/main>/i.exec(html)?.[0];
  const forms = readForms(which === undefined && main !== undefined ? main : html);
  const isFound = (form: Form) => {
    if (which === undefined) return form.has('token') || /[?&]k=/.test(form.action);
    return typeof which === 'string' ? form.has(which) : which.test(form.action);
  };
  const found = forms.filter(isFound);
  const [form] = found;
  if (form === undefined || found.length > 1)
    throw new Error(`${found.length} forms have ${which ?? 'a token'}`);
  return form;
}

const controlTags = new Set(['input', 'select', 'textarea', 'button']);
const within = (element: Element, name: string) => [...around(element)].find((each) => each.name === name);

export function readForms(html: string): Form[] {
  const elements = readLoosely(html);
  const named = (name: string) => elements.filter((element) => element.name === name);
  const forms = named('form');
  const labels = Map.groupBy(named('label'), ({ attributes }) => attributes.get('for'));
  const options = Map.groupBy(named('option'), (option) => within(option, 'select'));
  const controls = Map.groupBy(
    elements.filter(({ name }) => controlTags.has(name)),
    (control) => {
      const id = control.attributes.get('form');
      if (id === undefined) return within(control, 'form');
      return forms.find(({ attributes }) => attributes.get('id') === id);
    },
  );

  function controlOf(element: Element): Control {
    const { name, attributes: at } = element;
    const tag = name as Control['tag'];
    const type = tag === 'input' || tag === 'button' ? (at.get('type') ?? usualTypes[tag]) : tag;
    const choices = options.get(element) ?? [];
    const chosen = choices.findLast(({ attributes }) => attributes.has('selected')) ?? choices[0];
    const isDisabled = ({ attributes }: Element) => attributes.has('disabled');
    const maxLength = at.get('maxlength');
    const id = at.get('id');
    const label =
      id === undefined
        ? undefined
        : labels
            .get(id)
            ?.map(({ text }) => text)
            .join(' ');
    return {
      tag,
      type,
      id,
      name: at.get('name') ?? '',
      formAction: at.get('formaction'),
      disabled:
        isDisabled(element) || [...around(element)].some((e) => e.name === 'fieldset' && isDisabled(e)),
      readOnly: at.has('readonly'),
      maxLength: maxLength === undefined ? undefined : Number(maxLength),
      options: choices.map(({ attributes, text }) => ({
        value: attributes.get('value') ?? '',
        label: text.trim(),
      })),
      label: label?.replaceAll(/\s+/g, ' ').trim() ?? at.get('aria-label') ?? '',
      value:
        tag === 'textarea'
          ? element.text
          : (chosen?.attributes.get('value') ??
            at.get('value') ??
            (/^(checkbox|radio)$/.test(type) ? 'on' : '')),
      checked: at.has('checked'),
    };
  }
  return forms.map((form) =>
    createForm({
      action: form.attributes.get('action') ?? '',
      method: (form.attributes.get('method') ?? 'get').toLowerCase(),
      controls: (controls.get(form) ?? []).map(controlOf),
    }),
  );
}

const usualTypes = { input: 'text', button: 'submit' } as const;

function createForm(parts: { action: string; method: string; controls: Control[] }): Form {
  const { action, method, controls } = parts;
  // A form may have thousands of controls.
  const byName = Map.groupBy(controls, ({ name }) => name);
  const matching = (name: string, value?: string) =>
    (byName.get(name) ?? []).filter((control) => value === undefined || control.value === value);
  const find = (types: readonly string[], name: string, value?: string): Control => {
    const [control, second] = matching(name, value).filter(({ type }) => types.includes(type));
    if (control === undefined) throw new Error(`the form has no ${types.join('/')} ${name}=${value ?? '*'}`);
    if (second !== undefined && value === undefined) throw new Error(`several ${name}: say which value`);
    if (control.disabled || control.readOnly) throw new Error(`${name}=${control.value} cannot be changed`);
    return control;
  };
  const form: Form = {
    action,
    method,
    controls,
    tick(name, value) {
      find(['checkbox'], name, value).checked = true;
      return form;
    },
    untick(name, value) {
      find(['checkbox'], name, value).checked = false;
      return form;
    },
    choose(name, value) {
      const select = matching(name).find(({ tag }) => tag === 'select');
      if (select === undefined) {
        const radio = find(['radio'], name, value);
        for (const other of matching(name)) other.checked = other === radio;
        return form;
      }
      if (select.disabled) throw new Error(`${name} cannot be changed`);
      if (!select.options.some((option) => option.value === value))
        throw new Error(`${name} has no option ${value}`);
      select.value = value;
      return form;
    },
    type(name, text) {
      const writable = [
        ...['text', 'email', 'tel', 'number', 'date', 'time', 'search', 'url', 'textarea', 'password'],
      ];
      const control = find(writable, name);
      if (control.maxLength !== undefined && text.length > control.maxLength)
        throw new Error(`${name} takes ${control.maxLength} characters`);
      control.value = text;
      return form;
    },
    isTicked: (name, value) => matching(name, value).some(({ checked }) => checked),
    valueOf: (name) =>
      (matching(name).find(({ type, checked }) => type === 'radio' && checked) ?? matching(name)[0])?.value,
    has: (name, value) => matching(name, value).length > 0,
    press(wanted) {
      const buttons = controls.filter(({ type, disabled }) => type === 'submit' && !disabled);
      const button = wanted
        ? buttons.find(({ name, value }) => name === wanted.name && value === wanted.value)
        : buttons[0];
      if (wanted !== undefined && button === undefined)
        throw new Error(`the form has no button ${wanted.name}=${wanted.value}`);
      const fields = controls.filter((control) => isPosted(control) || control === button);
      return {
        action: button?.formAction ?? action,
        fields: fields.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]),
      };
    },
  };
  return form;
}

function isPosted({ type, disabled, checked }: Control): boolean {
  if (disabled || type === 'submit' || type === 'button' || type === 'reset' || type === 'image')
    return false;
  return type === 'checkbox' || type === 'radio' ? checked : true;
}
