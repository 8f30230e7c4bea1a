// In another site's frame: tells that site how high the page is and what has happened. The page works without it.

const hosts = (document.documentElement.dataset.origins ?? '').split(' ').filter((host) => host !== '');
const above = location.ancestorOrigins?.[0];
/** The browser delivers to a window of that very origin only. */
const listeners = above === undefined ? hosts : hosts.filter((host) => host === above);

function tell(event, about = {}) {
  if (parent === window) return;
  for (const origin of listeners) parent.postMessage({ ...about, sayso: event }, origin);
}

let told = 0;
function tellHeight() {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
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

/** A page that is not the person's says what it is. */
const { event = 'ready', reference } = document.querySelector('[data-event]')?.dataset ?? {};
tell(event, reference === undefined ? {} : { reference });
tellHeight();
tellSaved();
new ResizeObserver(tellHeight).observe(document.body);
new MutationObserver(tellSaved).observe(document.getElementById('main'), { childList: true });
