/** Marks a field whose text is none of its values: its form still has the value from before, and saving that would be wrong. */
export const unreadMark = (unread: boolean) => ({ 'data-unread': unread || undefined });

/** Focuses the first such field, which says what is wrong with it. Returns false if there is none: the form may be saved. */
export function goToUnread(within: ParentNode): boolean {
  const field = within.querySelector<HTMLElement>('[data-unread]:not(:disabled)');
  field?.focus();
  return field !== null;
}
