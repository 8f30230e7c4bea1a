// Improvements of the staff pages only: each works without this file.

/** A button beside each id puts it where it can be pasted. */
for (const button of document.querySelectorAll('button[data-copy]')) {
  if (!navigator.clipboard) break;
  const word = button.firstElementChild;
  const before = word.textContent;
  // What is put into a live region is spoken, whatever the button says.
  word.setAttribute('aria-live', 'polite');
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    word.textContent = button.dataset.copied;
    setTimeout(() => {
      word.textContent = before;
    }, 2000);
  });
}

/** Deadlines in the reader's own zone, which is named; as they came, below. */
for (const moment of document.querySelectorAll('time[data-own-zone]')) {
  const words = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  const said = words.format(new Date(moment.dateTime));
  if (said.endsWith('UTC')) continue;
  const given = document.createElement('span');
  given.className = 'small';
  given.textContent = moment.textContent;
  moment.textContent = said;
  moment.after(given);
}

/** A new deadline is meant in the reader's own zone, unless they say otherwise. */
for (const zones of document.querySelectorAll('select[data-own-zone]')) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const option = [...zones.options].find(({ value }) => value === own);
  if (option) option.selected = true;
}
