import { Select, Switch } from '@mantine/core';
import type { DeltaSettings } from '#shared/exports/schema.ts';
import { BoundedNumberInput } from '#client/ui/form/bounded-number-input.tsx';

type DeltaFieldsProps = {
  delta: DeltaSettings;
  /** URL of the changes; null until they are switched on and saved. */
  path: string | null;
  onChange: (delta: DeltaSettings) => void;
};

const removed = [
  { value: 'wait', label: 'weglassen, bis die nächste ganze Datei kommt' },
  { value: 'zero', label: 'mit Bestand 0 übergeben' },
];
const wrapper = ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[];

/** Whether a run outputs everything or only what changed, and what happens to removed items. */
export function DeltaFields({ delta, path, onChange }: DeltaFieldsProps) {
  return (
    <section className="k-card k-stack" aria-labelledby="aenderungen">
      <h2 id="aenderungen">Umfang</h2>
      <Switch
        label="Nur Änderungen seit der letzten angenommenen Ausgabe übergeben"
        description="Neue und geänderte Artikel stehen in einer eigenen Datei. Unter der Abruf-Adresse des Exports liegt weiter die letzte ganze Datei; die Prüfung auf Differenzen sieht immer den ganzen Stand."
        checked={delta.active}
        onChange={({ currentTarget }) => onChange({ ...delta, active: currentTarget.checked })}
      />
      {delta.active && (
        <>
          <BoundedNumberInput
            label="Ganze Datei spätestens nach Stunden"
            description="Der erste Lauf danach schreibt alles neu. So erfährt der Kanal auch, was entfallen ist."
            inputWrapperOrder={wrapper}
            maw={420}
            min={1}
            max={720}
            value={delta.fullHours}
            onChange={(fullHours) => onChange({ ...delta, fullHours })}
          />
          <Select
            label="Entfallene Artikel"
            description="„Mit Bestand 0“ braucht ein Feld für den Bestand, etwa „quantity“ oder „Bestand“; fehlt es, sagt der Lauf das."
            inputWrapperOrder={wrapper}
            maw={420}
            data={removed}
            allowDeselect={false}
            value={delta.removed}
            onChange={(value) => onChange({ ...delta, removed: value === 'zero' ? 'zero' : 'wait' })}
          />
          {path !== null && (
            <p className="k-small k-muted">
              Abruf der letzten Änderungen: <span style={{ overflowWrap: 'anywhere' }}>{path}</span>. Eine Übertragung
              legt sie mit „-aenderungen“ im Namen neben die ganze Datei. Wer eine davon auslässt, braucht die nächste
              ganze.
            </p>
          )}
        </>
      )}
    </section>
  );
}
