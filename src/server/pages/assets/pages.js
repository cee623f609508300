// Autocompletes names; every page works without it.
const least = 2;
const most = 8;
const waitMs = 150;

for (const input of document.querySelectorAll('input[data-completes]')) complete(input);

for (const field of document.querySelectorAll('[data-copy]')) {
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    textContent: field.dataset.copy,
  });
  button.setAttribute('aria-live', 'polite');
  field.after(button);
  button.addEventListener('click', () => {
    field.select();
    const copied =
      navigator.clipboard?.writeText(field.value) ?? Promise.resolve(document.execCommand('copy'));
    copied.then(
      () => {
        button.textContent = field.dataset.copied;
      },
      () => {},
    );
  });
}

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
    // A choice from the datalist, not typing.
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
    const { completes } = input.dataset;
    const isWhole = completes.endsWith('/parties.json');
    const asked = isWhole ? '' : `?${new URLSearchParams({ q: written, limit: String(most) })}`;
    const response = await fetch(completes + asked);
    if (!response.ok || input.value.trim() !== written) return;
    const { items } = await response.json();
    const options = isWhole
      ? items.map(partyOption).filter(({ label }) => holds(label, written))
      : items.map(personOption);
    list.replaceChildren(
      ...options.slice(0, most).map(({ slug, value, label }) => {
        known.set(value, slug);
        return Object.assign(document.createElement('option'), { value, label });
      }),
    );
  }
}

function personOption({ slug, full_name: name }) {
  return { slug, value: name, label: name };
}

/** Parties are chosen by slug, since several share a name. */
function partyOption({ slug, name, short_name: short }) {
  return { slug, value: slug, label: short ? `${name} (${short})` : name };
}

function holds(label, written) {
  return folded(label).includes(folded(written));
}

function folded(text) {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Address of a politician's page, with language and date of this one. */
function addressOf(list, slug) {
  const address = new URL(`${list}/${encodeURIComponent(slug)}`, location.origin);
  for (const name of ['lang', 'as_of']) {
    const value = new URLSearchParams(location.search).get(name);
    if (value) address.searchParams.set(name, value);
  }
  return address;
}
