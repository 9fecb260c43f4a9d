type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Touched = { readonly field: Field; readonly value: string };

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;

/**
 * Watches a page that the server rendered and that is not yet hydrated. On `takeOver`, everything typed or chosen so far is
 * passed to the forms as if it were typed then: React keeps the letters in the field but does not know of them. After that, the
 * document has the attribute `data-answers`.
 */
export function typedBefore(page: Document): { takeOver: () => void } {
  const touched = new Set<Field>([...page.querySelectorAll('input, textarea, select')].filter(isTouched));
  const note = ({ target }: Event) => void (isField(target) && touched.add(target));
  page.addEventListener('input', note, true);
  return {
    takeOver: () => {
      page.removeEventListener('input', note, true);
      const typed = [...touched].filter(({ isConnected }) => isConnected);
      touched.clear();
      for (const one of typed.map((field): Touched => ({ field, value: field.value }))) give(one);
      page.documentElement.toggleAttribute('data-answers', true);
    },
  };
}

function isTouched(field: Element): field is Field {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some(({ selected, defaultSelected }) => defaultSelected && !selected);
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
  if (!(field instanceof HTMLInputElement) || field.type === 'hidden') return false;
  if (isFileField(field)) return field.value !== '';
  return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
}

const isFileField = (field: Field): boolean => field instanceof HTMLInputElement && field.type === 'file';

function give({ field, value }: Touched): void {
  if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')) {
    if (field.checked === field.defaultChecked) return;
    // React compares with the value it last saw: restores that first, and the click then changes it.
    field.checked = field.defaultChecked;
    field.click();
    return;
  }
  // A script cannot set the file of a field: React reads it from the field when it hears of the change.
  if (!(field instanceof HTMLSelectElement) && !isFileField(field)) {
    field.value = field.defaultValue;
    // Bypasses React's own setter, so that React detects a change.
    const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
    own?.set?.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  field.dispatchEvent(new Event('change', { bubbles: true }));
}
