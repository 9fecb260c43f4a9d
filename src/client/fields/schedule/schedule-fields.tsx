import { Chip, Input, SegmentedControl, TextInput } from '@mantine/core';
import { LEAST_MINUTES, weekdayNames } from '#shared/schedule/schema.ts';
import { BoundedNumberInput } from '#client/ui/form/bounded-number-input.tsx';
import type { draftErrors, ScheduleDraft } from './schedule-draft.ts';

type ScheduleFieldsProps = {
  draft: ScheduleDraft;
  errors: ReturnType<typeof draftErrors>;
  onChange: (changed: Partial<ScheduleDraft>) => void;
};

const wrapper = ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[];

/** Times or interval, weekdays, and when to warn that no run succeeds. */
export function ScheduleFields({ draft, errors, onChange }: ScheduleFieldsProps) {
  return (
    <>
      <div>
        <SegmentedControl
          aria-label="Art des Zeitplans"
          value={draft.kind}
          onChange={(kind) => onChange({ kind: kind === 'interval' ? 'interval' : 'times' })}
          data={[
            { value: 'times', label: 'Zu Uhrzeiten' },
            { value: 'interval', label: 'In Abständen' },
          ]}
        />
      </div>
      {draft.kind === 'times' ? (
        <TextInput
          label="Uhrzeiten"
          description="Berliner Zeit, mit Komma getrennt: 06:00, 12:30, 18:00. Eine Uhrzeit, die es bei der Zeitumstellung nicht gibt, läuft zur nächsten, die es gibt; eine doppelte nur einmal."
          inputWrapperOrder={wrapper}
          maw={640}
          maxLength={400}
          value={draft.times}
          error={errors.times}
          onChange={({ currentTarget }) => onChange({ times: currentTarget.value })}
        />
      ) : (
        <BoundedNumberInput
          label="Abstand in Minuten"
          description={`Gezählt ab Mitternacht; mindestens ${LEAST_MINUTES}.`}
          inputWrapperOrder={wrapper}
          maw={320}
          min={LEAST_MINUTES}
          max={1440}
          value={draft.minutes}
          error={errors.minutes}
          onChange={(minutes) => onChange({ minutes })}
        />
      )}
      <Input.Wrapper label="Wochentage" labelElement="div" error={errors.weekdays}>
        <div role="group" aria-label="Wochentage" className="k-row" style={{ gap: 8, marginTop: 4 }}>
          {weekdayNames.map((name, index) => {
            const day = index + 1;
            const chosen = draft.weekdays.includes(day);
            return (
              <Chip
                key={name}
                size="sm"
                checked={chosen}
                onChange={() =>
                  onChange({
                    weekdays: chosen
                      ? draft.weekdays.filter((one) => one !== day)
                      : [...draft.weekdays, day].sort((one, other) => one - other),
                  })
                }
              >
                {name}
              </Chip>
            );
          })}
        </div>
      </Input.Wrapper>
      <BoundedNumberInput
        label="Melden, wenn so viele Stunden kein Lauf gelingt"
        description="Sie bekommen dann eine Benachrichtigung, einmal bis zum nächsten gelungenen Lauf."
        inputWrapperOrder={wrapper}
        maw={320}
        min={1}
        max={720}
        value={draft.patience}
        onChange={(patience) => onChange({ patience })}
      />
    </>
  );
}
