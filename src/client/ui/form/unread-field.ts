import { createContext, type RefObject, use } from 'react';

/** Marks a field whose text is none of its values: its form still has the value from before, and saving that would be wrong. */
export const unreadMark = (unread: boolean) => ({ 'data-unread': unread || undefined });

/** The element around a document's fields, and how often what was typed into them was thrown away. */
export type FieldsPlace = { element: RefObject<HTMLElement | null>; discards: number };
export const fieldsMark = 'data-fields';
export const FieldsPlaceContext = createContext<FieldsPlace | null>(null);

/** Changes when a document's changes are thrown away: a text that is none of its values must go, too. */
export const useDiscards = (): number => use(FieldsPlaceContext)?.discards ?? 0;

/** Focuses the first unread field, which says what is wrong with it. Returns false if there is none: the form may be saved. */
export const goToUnread = (within: ParentNode): boolean => focusFirst(within, ':not(:disabled)');

/** Like `goToUnread` for the document around: an unread field of another form on the same page does not stop its save. */
export function useGoToUnread(): () => boolean {
  const place = use(FieldsPlaceContext);
  return () =>
    place?.element.current
      ? goToUnread(place.element.current)
      : focusFirst(document, `:not(:disabled, form *, [${fieldsMark}] *)`);
}

function focusFirst(within: ParentNode, which: string): boolean {
  const field = within.querySelector<HTMLElement>(`[data-unread]${which}`);
  if (field === null) return false;
  // A field in a closed part of the form cannot take the focus.
  const part = field.closest('details');
  if (part !== null) part.open = true;
  field.focus();
  return true;
}
