import { Idiomorph } from 'idiomorph';
import type { FieldValue, Typed } from './request-queue.ts';

export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export const isField = (target: unknown): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;

export const isChoice = ({ type }: Field): boolean => type === 'checkbox' || type === 'radio';

/** Returns the value of a field. */
export function valueOf(field: Field): FieldValue {
  if (field instanceof HTMLSelectElement && field.multiple) return [...field.selectedOptions].map(({ value }) => value);
  return field instanceof HTMLInputElement && field.type === 'checkbox' ? field.checked : field.value;
}

/**
 * Changes an element into the one that the server sent, keeping nodes that are unchanged. Typed text that is not sent yet stays;
 * the focused field is left alone while the user only types. `data-skip-morph` keeps an element as it is, and children that the
 * server did not send again keep their place.
 */
export function morph(element: HTMLElement, next: HTMLElement, unsent: Typed, keepActive: boolean): void {
  for (const tree of [element, next]) nameFields(tree);
  for (const field of next.querySelectorAll('[data-model]')) {
    const value = unsent.get(field.getAttribute('data-model') ?? '');
    if (value !== undefined && isField(field)) type(field, value);
  }
  void Idiomorph.morph(element, next, {
    morphStyle: 'outerHTML',
    ignoreActiveValue: keepActive,
    callbacks: {
      beforeNodeMorphed: (old, now) => {
        if (!(old instanceof Element) || !(now instanceof Element)) return true;
        if (old.hasAttribute('data-skip-morph')) return false;
        if (!now.hasAttribute('data-live-preserve')) return true;
        const props = now.getAttribute('data-live-props-from-parent');
        if (props !== null) old.setAttribute('data-live-props-from-parent', props);
        return false;
      },
    },
  });
}

/**
 * Gives fields an id: elements with an id keep their identity wherever the new HTML has
 * them; others are matched by similarity only.
 */
function nameFields(root: HTMLElement): void {
  for (const one of root.querySelectorAll('[data-model]:not([id]), [data-skip-morph]:not([id])')) {
    const name = one.getAttribute('data-model') ?? one.getAttribute('name') ?? '';
    const choice = one.getAttribute('type') === 'radio' ? `:${one.getAttribute('value') ?? ''}` : '';
    one.id = `${one.closest('[data-live-component]')?.id ?? ''}:${name}${choice}`;
  }
}

/** Writes a value into HTML that is not in the page yet, i.e. into its attributes. */
function type(field: Field, value: FieldValue): void {
  if (field instanceof HTMLSelectElement) {
    const chosen = Array.isArray(value) ? value.map(String) : [String(value)];
    for (const option of field.options) option.toggleAttribute('selected', chosen.includes(option.value));
  } else if (isChoice(field)) {
    field.toggleAttribute('checked', field.type === 'checkbox' ? value === true : field.value === value);
  } else if (field instanceof HTMLTextAreaElement) field.textContent = String(value);
  else field.setAttribute('value', String(value));
}
