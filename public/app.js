// Improvements only: every page works without this file.

const form = document.querySelector('[data-preferences]');
if (form) {
  // With script, the result of a save is shown above this form.
  form.elements.here.disabled = false;
  watchChanges(form);
  sayStates(form);
  find(form);
}

const hostedLink = document.querySelector('[data-hosted-link]');
if (hostedLink) sendHostedLink(hostedLink);

/** Posts a link of the platform's hosted pages: its token is after the #, which browsers never send. */
function sendHostedLink(form) {
  const link = location.hash;
  if (link.length < 2) return;
  form.elements.link.value = link;
  // The token must not stay in the history or in a bookmark.
  history.replaceState(null, '', location.pathname + location.search);
  form.submit();
}

/** Shows the bar with "save" while there are unsaved changes, and asks before they are lost. */
function watchChanges(form) {
  const note = form.querySelector('[data-unsaved]');
  const bar = form.querySelector('.actions');
  const saved = JSON.parse(form.dataset.saved ?? '{}');
  let leaving = false;
  /** After a post that was stopped, which may still arrive, even an unchanged form counts as changed. */
  let wasSent = false;

  /** A link after the changed control, so that one Tab leads to "save"; CSS shows its focus on the bar. */
  const save = bar.querySelector('.primary');
  const here = document.createElement('a');
  here.href = '#save';
  here.className = 'save-here unseen';
  here.setAttribute('aria-label', save.textContent);
  const press = (event) => {
    if (event.type === 'keydown' && event.key !== ' ') return;
    event.preventDefault();
    save.click();
  };
  here.addEventListener('click', press);
  here.addEventListener('keydown', press);

  const changed = () => wasSent || [...form.elements].some((control) => differs(control, saved));
  const tell = () => {
    const isChanged = changed();
    const text = isChanged ? note.dataset.unsaved : '';
    if (note.textContent !== text) note.textContent = text;
    bar.classList.toggle('idle', !isChanged);
    if (!isChanged) here.remove();
  };

  form.addEventListener('input', ({ target }) => {
    tell();
    if (note.textContent !== '') (target.closest('.choice') ?? target).after(here);
  });
  form.addEventListener('reset', () =>
    setTimeout(() => {
      for (const control of form.elements) restore(control, saved);
      // The pressed button disappears, so the focus moves to the beginning of the page.
      if (bar.contains(document.activeElement))
        document.getElementById('main').focus({ preventScroll: true });
      form.dispatchEvent(new Event('change'));
      tell();
    }),
  );
  form.addEventListener('submit', ({ submitter }) => {
    leaving = true;
    wasSent = true;
    const text = form.querySelector('[data-busy]')?.dataset.busy;
    if (submitter && text) note.textContent = text;
  });
  addEventListener('beforeunload', (event) => {
    if (!leaving && changed()) event.preventDefault();
    leaving = false;
  });
  addEventListener('pageshow', tell);
  tell();
}

/** Whether a control differs from its saved state; controls under a switch that is and was off never do. */
function differs(control, saved) {
  const box = control.closest('.purpose')?.querySelector('.switch');
  if (box && box !== control && !box.checked && !(saved[box.id] ?? box.defaultChecked)) return false;
  const known = saved[control.id];
  if (control.type === 'checkbox' || control.type === 'radio')
    return control.checked !== (known ?? control.defaultChecked);
  if (control.options) {
    if (typeof known === 'string') return control.value !== known;
    const wanted = [...control.options].map((option) => saved[option.id] ?? option.defaultSelected);
    if (control.type === 'select-one' && !wanted.includes(true)) wanted[0] = true;
    return wanted.some((isChosen, at) => isChosen !== control.options[at].selected);
  }
  return (
    'defaultValue' in control &&
    control.type !== 'hidden' &&
    control.value !== (known ?? control.defaultValue)
  );
}

/** Searches a page of many purposes, and counts the purposes that are on. */
function find(form) {
  const count = form.querySelector('[data-count]');
  if (!count) return;
  const field = document.getElementById('find');
  const none = form.querySelector('[data-none]');
  const purposes = [...form.querySelectorAll('.purpose')];
  const boxes = purposes.map((purpose) => purpose.querySelector('.switch'));
  const texts = purposes.map((purpose) => plain(purpose.querySelector('.row').textContent));
  const numbers = new Intl.NumberFormat(document.documentElement.lang || undefined);
  field.parentElement.hidden = false;
  field.addEventListener('input', () => {
    const words = plain(field.value).split(/\s+/);
    for (const [at, purpose] of purposes.entries())
      purpose.hidden = !words.every((word) => texts[at].includes(word));
    for (const section of form.querySelectorAll('.section'))
      section.hidden = field.value !== '' && !section.querySelector('.purpose:not([hidden])');
    none.textContent = purposes.every(({ hidden }) => hidden) ? none.dataset.none : '';
  });
  const tell = () => {
    const on = boxes.filter(({ checked }) => checked).length;
    const values = { count: numbers.format(on), total: numbers.format(boxes.length) };
    count.textContent = count.dataset.count.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  };
  form.addEventListener('change', tell);
  tell();
}

/** Removes case, accents and soft hyphens from a text. */
function plain(text) {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\u00ad]/gu, '')
    .toLowerCase();
}

/** Sets a control to its saved state, where the browser's reset has set another. */
function restore(control, saved) {
  const known = saved[control.id];
  if (typeof known === 'boolean') control.checked = known;
  if (typeof known === 'string') control.value = known;
  for (const option of control.options ?? []) {
    if (option.id in saved) option.selected = saved[option.id];
  }
}

/** A form is sent once, and its button shows that it is busy; without an answer it can be pressed again. */
for (const each of document.querySelectorAll('form[method="post"]:not([target])')) {
  each.addEventListener('submit', (event) => {
    if (each.getAttribute('aria-busy') === 'true') return event.preventDefault();
    const button = event.submitter ?? each.querySelector('.button.primary');
    const text = button?.textContent;
    each.setAttribute('aria-busy', 'true');
    if (button?.dataset.busy) button.textContent = button.dataset.busy;
    const rest = () => {
      each.removeAttribute('aria-busy');
      if (button) button.textContent = text;
    };
    setTimeout(rest, 20_000);
    // A change of the form means that the visitor has stopped the post.
    each.addEventListener('change', rest, { once: true });
    addEventListener('pageshow', rest, { once: true });
  });
}

/** Shows "on" or "off" beside each switch; screen readers hear it from the switch itself. */
function sayStates(form) {
  const { on, off } = form.dataset;
  form.style.setProperty('--state-room', `${Math.max(on.length, off.length)}ch`);
  const pairs = [...form.querySelectorAll('.switch')].map((box) => {
    const word = document.createElement('span');
    word.className = 'state';
    word.setAttribute('aria-hidden', 'true');
    box.after(word);
    return [box, word];
  });
  const say = () => {
    for (const [box, word] of pairs) {
      const text = box.checked ? on : off;
      if (word.textContent !== text) word.textContent = text;
    }
  };
  form.addEventListener('change', say);
  say();
}

/** Shows days and times in the reader's time zone, and names it; equal days in a row appear once. */
function inOwnZone(zone) {
  const lang = document.documentElement.lang || undefined;
  const styles = { day: { dateStyle: 'long' }, time: { timeStyle: 'short' } };
  for (const [kind, style] of Object.entries(styles)) {
    const words = new Intl.DateTimeFormat(lang, style);
    let before;
    for (const moment of document.querySelectorAll(`time[data-local="${kind}"]`)) {
      moment.textContent = words.format(new Date(moment.dateTime));
      if (kind === 'day') moment.parentElement.hidden = moment.textContent === before;
      before = moment.textContent;
    }
  }
  const parts = new Intl.DateTimeFormat(lang, { timeZoneName: 'longGeneric' }).formatToParts(new Date());
  const name = parts.find(({ type }) => type === 'timeZoneName').value;
  zone.textContent = zone.dataset.zone.replace('{zone}', name);
}

// Staff pages also load staff.js, which has its own [data-zone], and both scripts share the global scope.
for (const zone of document.querySelectorAll('[data-zone*="{zone}"]')) inOwnZone(zone);

for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}

document.querySelector('#mistakes, [data-frame="top"] form #result')?.focus();

/** A link to a mistake moves the focus to the first usable field of its group. */
for (const link of document.querySelectorAll('#mistakes a')) {
  link.addEventListener('click', (event) => {
    const place = document.getElementById(link.hash.slice(1));
    const field = place?.matches('fieldset') ? place.querySelector('input:not(:disabled)') : place;
    if (!field) return;
    event.preventDefault();
    place.scrollIntoView({ block: 'center' });
    field.focus({ preventScroll: true });
  });
}

/** Free text shows a counter of its characters, and writing ticks its box. */
for (const area of document.querySelectorAll('[data-limit]')) {
  const limit = Number(area.dataset.limit);
  const numbers = new Intl.NumberFormat(document.documentElement.lang || undefined);
  const counter = document.createElement('span');
  counter.className = 'counter';
  counter.setAttribute('aria-hidden', 'true');
  const name = area.id.replace(/-text$/, '');
  const hint = document.getElementById(`${name}-hint`);
  if (hint) hint.append(counter);
  else area.after(counter);
  const box = document.getElementById(name);
  const count = () => {
    counter.textContent = `${numbers.format([...area.value].length)} / ${numbers.format(limit)}`;
  };
  area.addEventListener('input', () => {
    count();
    if (box && area.value !== '') box.checked = true;
  });
  count();
}

/** A passcode is sent as soon as it is complete, and its hint says so. */
for (const field of document.querySelectorAll('[data-digits]')) {
  const most = Number(field.dataset.digits);
  document.getElementById(`${field.id}-hint`)?.append(document.createElement('br'), field.dataset.checked);
  let sent = '';
  field.addEventListener('input', () => {
    const digits = field.value
      .replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => digit.charCodeAt(0) & 0xf)
      .replace(/[^0-9]/g, '')
      .slice(0, most);
    if (field.value !== digits) field.value = digits;
    if (digits.length < most || digits === sent) return;
    sent = digits;
    field.form.requestSubmit();
  });
}

/** A wait is counted down, and its text is removed at the end. */
for (const wait of document.querySelectorAll('[data-gone-in]')) {
  const endsAt = Date.now() + Number(wait.dataset.goneIn) * 1000;
  const count = () => {
    const left = Math.ceil((endsAt - Date.now()) / 1000);
    if (left <= 0) return wait.remove();
    wait.textContent = wait.dataset.countdown.replace('{time}', clockOf(left));
    setTimeout(count, 1000);
  };
  count();
}

function clockOf(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const pending = document.querySelector('[data-refresh]');
if (pending) lookAgain(Number(pending.dataset.refresh), 0);

/** Reads the page again while a change on it is in progress, at most 60 times. */
function lookAgain(seconds, times) {
  if (times > 60) return;
  setTimeout(async () => {
    if (document.hidden) return lookAgain(seconds, times);
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined);
    if (!answer?.ok) return lookAgain(Math.min(60, seconds * 2), times + 1);
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const [here, there] = [document.getElementById('result'), next.getElementById('result')];
    if (!here || !there) return;
    if (!sameOutcome(here, there)) {
      document.title = next.title;
      here.replaceWith(there);
    }
    if (there.dataset.refresh) lookAgain(Number(there.dataset.refresh), times + 1);
  }, seconds * 1000);
}

/** Compares texts, because the sealed tokens differ each time. */
function sameOutcome(here, there) {
  return here.textContent === there.textContent && !here.dataset.refresh === !there.dataset.refresh;
}

const ending = document.getElementById('session-end');
if (ending?.showModal) watchSession(ending);

/** Warns before the session ends; "continue" renews it and leaves the page as it is. */
function watchSession(dialog) {
  const clock = dialog.querySelector('[data-clock]');
  const warning = Number(dialog.dataset.warnBefore) * 1000;
  let endsAt = Date.now() + Number(dialog.dataset.endsIn) * 1000;

  setInterval(() => {
    const left = endsAt - Date.now();
    if (left > warning) return;
    if (!dialog.open) dialog.showModal();
    const seconds = Math.max(0, Math.ceil(left / 1000));
    clock.textContent = clockOf(seconds);
  }, 1000);

  const renew = async () => {
    const link = dialog.querySelector('[data-continue]');
    const answer = await fetch(link.href, { redirect: 'error' }).catch(() => undefined);
    if (!answer?.ok) return location.assign(link.href);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const fresh = page.getElementById('session-end')?.dataset.endsIn;
    // The visit has ended, and the new page says so.
    if (!fresh) return location.assign(link.href);
    renewAddresses(link, page.querySelector('[data-continue]'));
    endsAt = Date.now() + Number(fresh) * 1000;
    dialog.close();
  };
  dialog.querySelector('[data-continue]').addEventListener('click', (event) => {
    event.preventDefault();
    renew();
  });
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault();
    renew();
  });
}

/** In a frame each address holds the visit (`v=`): all addresses get the new one. */
function renewAddresses(link, fresh) {
  const [before, after] = [link, fresh].map((each) => /[?&](v=[^&]*)/.exec(each?.getAttribute('href'))?.[1]);
  if (!before || !after) return;
  for (const name of ['href', 'action']) {
    for (const element of document.querySelectorAll(`[${name}*="${before}"]`)) {
      element.setAttribute(name, element.getAttribute(name).replace(before, after));
    }
  }
}
