// Suggests names and copies texts; every page works without it.
const waitMs = 200; // after the last keystroke

/** Shows suggestions below a field: links to pages, or buttons that fill a filter; arrow keys move among them. */
function suggestFor(input) {
  const list = element('span', { className: 'offered', hidden: true, id: `${input.id}-offered` });
  const status = element('span', { className: 'unseen', role: 'status' });
  Object.assign(list, { role: 'group', ariaLabel: input.labels[0].textContent });
  input.after(list, status);
  input.autocomplete = 'off';
  let timer;
  let request = new AbortController();

  const cancelRequest = () => {
    clearTimeout(timer);
    request.abort();
  };
  const show = (items, countText) => {
    list.replaceChildren(...items.map((item) => (input.name === 'q' ? pageLink(item) : valueButton(item))));
    list.hidden = items.length === 0;
    status.textContent = countText;
  };
  const fill = (value) => {
    input.value = value;
    input.focus();
    show([], '');
  };
  const valueButton = ({ value, ...item }) =>
    suggestion('button', { type: 'button', onclick: () => fill(value) }, item);

  async function suggest() {
    request = new AbortController();
    const { signal } = request;
    const address = new URL(input.dataset.completes, location.href);
    address.searchParams.set('q', input.value.trim());
    try {
      const response = await fetch(address, { signal });
      const { items = [], told: note = '' } = await response.json();
      show(items, note);
    } catch {
      // On an error the field works as a plain one.
      if (!signal.aborted) show([], '');
    }
  }

  input.addEventListener('input', () => {
    cancelRequest();
    if (input.value.trim().length < 2) show([], '');
    else timer = setTimeout(suggest, waitMs);
  });
  const { parentElement } = input;
  parentElement.addEventListener('keydown', (event) => {
    const { key, isComposing } = event;
    if (list.hidden || isComposing || !['ArrowDown', 'ArrowUp', 'Escape'].includes(key)) return;
    event.preventDefault();
    cancelRequest();
    const targets = [input, ...list.children];
    const next = targets.indexOf(document.activeElement) + (key === 'ArrowDown' ? 1 : -1);
    targets.at(key === 'Escape' ? 0 : next % targets.length).focus(); // -1 is the last suggestion
    list.hidden = key === 'Escape';
  });
  parentElement.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget === input || list.contains(relatedTarget)) return;
    cancelRequest();
    list.hidden = true;
  });
  // The field keeps the focus while a suggestion is clicked or touched.
  list.addEventListener('mousedown', (event) => event.preventDefault());
}

const pageLink = ({ href, ...item }) => suggestion('a', { href }, item);

function suggestion(tagName, properties, item) {
  const choice = element(tagName, properties);
  const about = element('span', { className: 'meta', textContent: item.about });
  choice.append(element('span', { textContent: item.name }), ' ', about);
  return choice;
}

function element(tagName, properties) {
  return Object.assign(document.createElement(tagName), properties);
}

for (const input of document.querySelectorAll('input[data-completes]')) suggestFor(input);

for (const field of document.querySelectorAll('[data-copy]')) {
  const { copy, copied } = field.dataset;
  const button = element('button', { type: 'button', textContent: copy, ariaLive: 'polite' });
  field.after(button);
  const confirmCopy = () => Object.assign(button, { textContent: copied });
  button.addEventListener('click', () => {
    field.select();
    if (navigator.clipboard) navigator.clipboard.writeText(field.value).then(confirmCopy, () => {});
    else if (document.execCommand('copy')) confirmCopy();
  });
}
