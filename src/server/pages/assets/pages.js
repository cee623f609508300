// Completes names as one types; every page works without it.
const least = 2;
const waitMs = 150;

for (const input of document.querySelectorAll('input[data-completes]')) complete(input);

function complete(input) {
  const list = document.createElement('datalist');
  list.id = `${input.id}-names`;
  input.after(list);
  input.setAttribute('list', list.id);
  const known = new Map();
  let timer;
  let last = '';
  input.addEventListener('input', (event) => {
    const written = input.value.trim();
    const slug = known.get(written);
    // What was chosen from the list is not typed on.
    if (slug !== undefined && !(event instanceof InputEvent && event.inputType === 'insertText')) {
      if (input.name === 'q') location.assign(addressOf(input.dataset.completes.replace('.json', ''), slug));
      return;
    }
    clearTimeout(timer);
    if (written.length < least || written === last) return;
    timer = setTimeout(() => {
      last = written;
      offer(written).catch(() => {});
    }, waitMs);
  });

  async function offer(written) {
    const asked = new URLSearchParams({ q: written, limit: '8' });
    const response = await fetch(`${input.dataset.completes}?${asked}`);
    if (!response.ok || input.value.trim() !== written) return;
    const { items } = await response.json();
    list.replaceChildren(
      ...items.map(({ slug, full_name: name }) => {
        known.set(name, slug);
        const option = document.createElement('option');
        option.value = name;
        return option;
      }),
    );
  }
}

/** The page of a politician, in the language and as of the moment of this page. */
function addressOf(list, slug) {
  const address = new URL(`${list}/${encodeURIComponent(slug)}`, location.origin);
  for (const name of ['lang', 'as_of']) {
    const value = new URLSearchParams(location.search).get(name);
    if (value) address.searchParams.set(name, value);
  }
  return address;
}
