type Draft = { open: boolean; carrier: string; tracking: string };

/** Says what the user still has to do before any parcel can be reported; '' if at least one is complete. */
export function missingParcel(drafts: readonly Draft[]): string {
  const open = drafts.filter((draft) => draft.open);
  const isTyped = ({ tracking }: Draft) => tracking.trim() !== '';
  const isChosen = ({ carrier }: Draft) => carrier !== '';
  if (open.length === 0) return 'Von diesen Bestellungen lässt sich gerade keine versenden.';
  if (open.some((draft) => isTyped(draft) && isChosen(draft))) return '';
  if (open.some(isTyped)) return 'Bitte zur Sendungsnummer einen Versanddienst wählen.';
  if (open.some(isChosen)) return 'Bitte mindestens eine Sendungsnummer eingeben.';
  return 'Bitte einen Versanddienst wählen und mindestens eine Sendungsnummer eingeben.';
}
