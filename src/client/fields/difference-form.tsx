import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { Call } from '#shared/http/call.ts';
import { differenceActionNames, differenceActions, type DifferenceSettings } from '#shared/difference/schema.ts';
import { FormSave } from '#client/editor/form-save.tsx';

type DifferenceFormProps = {
  to: Call;
  params: Record<string, string>;
  settings: DifferenceSettings;
  /** „Importe“ or „Ausgaben“, for the words that explain. */
  of: 'imports' | 'outputs';
  mayEdit: boolean;
};

const percents = [
  { value: '0', label: 'keine Grenze' },
  ...Array.from({ length: 100 }, (_, index) => ({ value: String(index + 1), label: `ab ${index + 1} %` })),
];

const explanations = {
  imports: 'Was geschieht, wenn eine neue Datei stark vom bisherigen Stand des Katalogs abweicht.',
  outputs: 'Was geschieht, wenn eine neue Ausgabe stark von der bisher ausgelieferten abweicht.',
} as const;

/** DIF-01, DIF-02: what is done when a state deviates, and from how many percent of the items on. */
export function DifferenceForm({ to, params, settings, of, mayEdit }: DifferenceFormProps) {
  const [action, setAction] = useState(settings.action_on_difference);
  return (
    <section className="k-card k-stack" aria-labelledby="differenz">
      <h2 id="differenz">Aktion bei Differenz</h2>
      <p className="k-muted">
        {explanations[of]} Unabhängig davon wird ein leerer oder um vier Fünftel geschrumpfter Stand immer angehalten,
        bis Sie ihn freigeben.
      </p>
      <FormSave to={to} params={params} label="Aktion bei Differenz" mayEdit={mayEdit} onSaved={() => undefined}>
        <NativeSelect
          label="Aktion bei Differenz"
          name="action_on_difference"
          value={action}
          maw={420}
          onChange={({ currentTarget }) =>
            setAction(differenceActionNames.find((name) => name === currentTarget.value) ?? 'no_action')
          }
          data={differenceActionNames.map((value) => ({ value, label: differenceActions[value].label }))}
        />
        {action !== 'no_action' && (
          <div className="k-row" style={{ alignItems: 'flex-start' }}>
            <NativeSelect
              label="Aktion bei negativer Differenz"
              description="Artikel, die wegfallen, in Prozent der bisherigen"
              inputWrapperOrder={['label', 'input', 'description']}
              name="neg_difference"
              defaultValue={String(settings.neg_difference)}
              data={percents}
            />
            <NativeSelect
              label="Aktion bei postiver Differenz"
              description="Artikel, die neu sind, in Prozent der bisherigen"
              inputWrapperOrder={['label', 'input', 'description']}
              name="pos_difference"
              defaultValue={String(settings.pos_difference)}
              data={percents}
            />
          </div>
        )}
      </FormSave>
    </section>
  );
}
