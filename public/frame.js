// In another site's frame: tells that site how high the page is, whether there is something to save and what has
// happened, nothing else. The page works without it.

const root = document.documentElement;
const hosts = (root.dataset.origins ?? '').split(' ').filter((host) => host !== '');
const above = location.ancestorOrigins?.[0];
/** The browser delivers to a window of that very origin only. */
const listeners = above === undefined ? hosts : hosts.filter((host) => host === above);

function tell(event, about = {}) {
  if (parent === window) return;
  for (const origin of listeners) parent.postMessage({ ...about, sayso: event }, origin);
}

let told = 0;
function tellHeight() {
  const height = Math.ceil(root.getBoundingClientRect().height);
  if (height === told) return;
  told = height;
  tell('height', { height });
}

let isSaved = false;
function tellSaved() {
  const result = document.getElementById('result');
  if (isSaved || !result || result.dataset.refresh || !result.querySelector('.note.success')) return;
  isSaved = true;
  tell('saved');
}

/** What had the focus and is drawn anew has it still; nothing takes it from the site around. */
let isReading = document.activeElement?.id === 'result';
function keepFocus() {
  if (!isReading || !document.hasFocus() || document.activeElement !== document.body) return;
  document.getElementById('result')?.focus({ preventScroll: true });
}

const note = document.querySelector('[data-unsaved]');
let isUnsaved;
function tellUnsaved() {
  const unsaved = note !== null && note.textContent !== '';
  if (unsaved === isUnsaved) return;
  isUnsaved = unsaved;
  tell('unsaved', { unsaved });
}

/** Where the part begins that is seen of a frame as high as its page. The bar goes there when the scrolling rests. */
let resting;
function seeFrom({ origin, source, data }) {
  if (source !== parent || !listeners.includes(origin) || data?.sayso !== 'view') return;
  if (!Number.isFinite(data.top)) return;
  clearTimeout(resting);
  const top = Math.max(0, Math.min(data.top, told));
  resting = setTimeout(() => root.style.setProperty('--seen-from', `${Math.round(top)}px`), 80);
}

/** A page that is not the person's says what it is. */
const { event = 'ready', reference } = document.querySelector('[data-event]')?.dataset ?? {};
tell(event, reference === undefined ? {} : { reference });
tellUnsaved();
tellHeight();
tellSaved();
addEventListener('message', seeFrom);
new ResizeObserver(tellHeight).observe(document.body);
addEventListener('focusin', ({ target }) => {
  isReading = target.id === 'result';
});
new MutationObserver(() => {
  tellSaved();
  keepFocus();
}).observe(document.getElementById('main'), { childList: true });
if (note) new MutationObserver(tellUnsaved).observe(note, { childList: true });
