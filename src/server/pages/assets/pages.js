// Suggests names and copies texts; every page works without it.
const waitMs = 200;

/** The query of a field; null if it is shorter than two characters. */
const wordsIn = ({ value }) => (value.trim().length < 2 ? null : value.trim());

/** A field with a list of suggestions: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ */
class Combobox {
  #input;
  #list = element('span', { className: 'offered', hidden: true });
  #told = element('span', { className: 'unseen' });
  #timer;
  #asking = new AbortController();
  #active = -1;

  constructor(input) {
    this.#input = input;
    this.#list.id = `${input.id}-offered`;
    input.after(this.#list, this.#told);
    input.autocomplete = 'off';
    attribute(this.#told, { role: 'status' });
    attribute(this.#list, { role: 'listbox', 'aria-label': input.labels[0].textContent });
    attribute(input, { role: 'combobox', 'aria-autocomplete': 'list', 'aria-controls': this.#list.id });
    this.#show(false);
    input.addEventListener('input', () => this.#typed());
    input.addEventListener('blur', () => this.#show(false));
    input.addEventListener('keydown', (event) => {
      if (!event.isComposing && this.#pressed(event.key)) event.preventDefault();
    });
    // The field keeps the focus while an option is clicked or touched.
    this.#list.addEventListener('mousedown', (event) => event.preventDefault());
    this.#list.addEventListener('click', ({ target }) => {
      const option = target.closest('[role=option]');
      if (option) this.#choose(option);
    });
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#asking.abort();
  }

  #show(isOpen) {
    this.#stop();
    this.#list.hidden = !isOpen;
    attribute(this.#input, { 'aria-expanded': isOpen });
    this.#point(-1);
  }

  #point(at) {
    this.#active = at;
    const options = [...this.#list.children];
    for (const [place, option] of options.entries()) attribute(option, { 'aria-selected': place === at });
    attribute(this.#input, { 'aria-activedescendant': options[at]?.id ?? '' });
    options[at]?.scrollIntoView({ block: 'nearest' });
  }

  #choose({ dataset: { href, value } }) {
    this.#offer([], '');
    if (this.#input.name === 'q') location.assign(href);
    else this.#input.value = value;
  }

  #offer(items, told) {
    this.#list.replaceChildren(...items.map((item, at) => optionOf(item, `${this.#list.id}-${at}`)));
    this.#told.textContent = told;
    this.#show(items.length > 0);
  }

  async #ask() {
    this.#stop();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    const address = new URL(this.#input.dataset.completes, location.href);
    address.searchParams.set('q', wordsIn(this.#input));
    try {
      const response = await fetch(address, { signal });
      const { items = [], told = '' } = await response.json();
      if (!signal.aborted) this.#offer(items, told);
    } catch {
      // On an error the field works as a plain one.
      if (!signal.aborted) this.#offer([], '');
    }
  }

  #typed() {
    this.#stop();
    this.#point(-1);
    if (wordsIn(this.#input)) this.#timer = setTimeout(() => this.#ask(), waitMs);
    else this.#offer([], '');
  }

  /** True if the key is handled, so that its default action is prevented. */
  #pressed(key) {
    const options = this.#list.children;
    if (this.#list.hidden) {
      if (key !== 'ArrowDown' || !wordsIn(this.#input)) return false;
      if (options.length > 0) this.#show(true);
      else this.#ask();
      return true;
    }
    const active = this.#active;
    const last = options.length - 1;
    if (key === 'Escape') this.#show(false);
    else if (key === 'Enter' && active >= 0) this.#choose(options[active]);
    else {
      const places = { ArrowDown: active < last ? active + 1 : 0, ArrowUp: active > 0 ? active - 1 : last };
      // Without an active option, Home and End move within the text.
      if (active >= 0) Object.assign(places, { Home: 0, End: last });
      if (places[key] === undefined) return false;
      // Pending suggestions must not replace the active option.
      this.#stop();
      this.#point(places[key]);
    }
    return true;
  }
}

function optionOf({ name, about, href, value }, id) {
  const option = element('span', { id });
  attribute(option, { role: 'option', 'aria-selected': false });
  Object.assign(option.dataset, { href, value });
  option.append(
    element('span', { textContent: name }),
    ' ',
    element('span', { className: 'meta', textContent: about }),
  );
  return option;
}

function element(name, properties) {
  return Object.assign(document.createElement(name), properties);
}

function attribute(of, attributes) {
  for (const [name, value] of Object.entries(attributes)) of.setAttribute(name, String(value));
}

for (const input of document.querySelectorAll('input[data-completes]')) new Combobox(input);

for (const field of document.querySelectorAll('[data-copy]')) {
  const { copy, copied } = field.dataset;
  const button = element('button', { type: 'button', textContent: copy });
  attribute(button, { 'aria-live': 'polite' });
  field.after(button);
  const tell = () => Object.assign(button, { textContent: copied });
  button.addEventListener('click', () => {
    field.select();
    if (navigator.clipboard) navigator.clipboard.writeText(field.value).then(tell, () => {});
    else if (document.execCommand('copy')) tell();
  });
}
