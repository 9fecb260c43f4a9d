import { formatInteger } from '#client/ui/text/formats.ts';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Checked = { type: string; value: string; minLength?: number; validity: Partial<ValidityState> };

/** Returns the message for a field that fails validation; undefined: the browser's own message. */
export function bubbleText({ type, value, minLength = 0, validity }: Checked): string | undefined {
  if (validity.valueMissing === true) {
    if (type === 'checkbox') return 'Bitte setzen Sie das Häkchen.';
    return type.startsWith('select') ? 'Bitte wählen Sie etwas aus.' : 'Bitte füllen Sie dieses Feld aus.';
  }
  if (validity.typeMismatch === true && type === 'email')
    return 'Bitte geben Sie eine E-Mail-Adresse an, zum Beispiel name@beispiel.de.';
  if (validity.typeMismatch === true && type === 'url')
    return 'Bitte geben Sie eine vollständige Adresse an, zum Beispiel https://beispiel.de/datei.csv.';
  if (validity.tooShort === true)
    return `Bitte geben Sie mindestens ${formatInteger(minLength)} Zeichen ein, bisher sind es ${formatInteger(value.length)}.`;
  return undefined;
}

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;

/** Makes validation messages German (GEN-01): browsers write them in the language of the visitor's machine. */
export function translateValidationMessages(page: Document): void {
  const shownFields = new Set<Field>();
  const forget = (field: Field) => {
    field.setCustomValidity('');
    shownFields.delete(field);
  };
  const say = ({ target }: Event) => {
    if (!isField(target)) return;
    const text = bubbleText(target);
    if (text === undefined) return;
    target.setCustomValidity(text);
    shownFields.add(target);
  };
  page.addEventListener('invalid', say, true);
  // The field's new content may be valid, or fail for another reason.
  const renew = (event: Event) => {
    if (!isField(event.target) || !shownFields.has(event.target)) return;
    forget(event.target);
    say(event);
  };
  page.addEventListener('input', renew, true);
  page.addEventListener('change', renew, true);
  // Code may have filled a field meanwhile: our message must not block the next submit.
  page.addEventListener(
    'click',
    ({ target }) => {
      if (target instanceof Element && target.closest('button') !== null)
        for (const field of shownFields) forget(field);
    },
    true,
  );
}
