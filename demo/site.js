// What the preference center tells this page; a view that has expired gets a fresh ticket and begins anew.
const heard = document.getElementById('heard');

for (const name of ['ready', 'unsaved', 'saved', 'height', 'expired', 'error']) {
  document.addEventListener(`sayso-${name}`, ({ type, detail }) => {
    const line = document.createElement('li');
    line.textContent = [type, ...Object.values(detail)].join(' ');
    heard.append(line);
  });
}

// Not again and again: a ticket that has expired when it arrives says that two clocks differ.
let wasReady = true;
document.addEventListener('sayso-ready', () => {
  wasReady = true;
});

document.addEventListener('sayso-expired', async ({ target }) => {
  if (!wasReady) return;
  wasReady = false;
  const answer = await fetch(`/ticket${location.search}`);
  if (answer.ok) target.setAttribute('ticket', (await answer.json()).ticket);
});
