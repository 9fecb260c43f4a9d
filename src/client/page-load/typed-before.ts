type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Touched = { readonly field: Field; readonly value: string };

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;

/**
 * Listens to a page that the server sent and no script answers yet. What somebody typed or chose until `takeOver` is given
 * to the forms then, as if it were typed at that moment: React keeps the letters in the field but knows nothing of them. From
 * then on the document has the attribute `data-answers`.
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
  if (!(field instanceof HTMLInputElement) || field.type === 'hidden' || field.type === 'file') return false;
  return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
}

function give({ field, value }: Touched): void {
  if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')) {
    if (field.checked === field.defaultChecked) return;
    // React compares with what it last saw, which is set back first; the click brings it on again.
    field.checked = field.defaultChecked;
    field.click();
    return;
  }
  if (!(field instanceof HTMLSelectElement)) {
    field.value = field.defaultValue;
    // Past React's own setter, so that it sees a change.
    const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
    own?.set?.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  field.dispatchEvent(new Event('change', { bubbles: true }));
}
