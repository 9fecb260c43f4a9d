import { nextDues } from '#shared/schedule/due-times.ts';
import { LEAST_MINUTES, type ScheduleSettings, type ScheduleTimes, weekdayNames } from '#shared/schedule/schema.ts';
import { fieldsShape } from '#client/editor/document-shape.ts';

/** A schedule being edited: times as they are typed. */
export type ScheduleDraft = Omit<ScheduleTimes, 'times'> & { readonly times: string; readonly address: string };

export const draftOf = ({ source: _source, times, ...settings }: ScheduleSettings): ScheduleDraft => ({
  ...settings,
  times: times.join(', '),
  address: '',
});

const timesOf = (typed: string): string[] =>
  typed
    .split(/[,;\s]+/)
    .filter((time) => time !== '' && !/^uhr$/i.test(time))
    .map((time) => (/^\d{1,2}$/.test(time) ? `${time}:00` : time).replace('.', ':').padStart(5, '0'));

const isTime = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

/** Returns the errors by field, in German; {} if it can be saved. */
export function draftErrors(draft: ScheduleDraft): Partial<Record<'times' | 'weekdays' | 'minutes', string>> {
  if (!draft.active) return {};
  const wrong = timesOf(draft.times).find((time) => !isTime(time));
  return {
    ...(draft.weekdays.length === 0 ? { weekdays: 'Bitte wählen Sie mindestens einen Wochentag.' } : {}),
    ...(draft.kind === 'interval' && (draft.minutes < LEAST_MINUTES || draft.minutes > 1440)
      ? { minutes: `Der Abstand liegt zwischen ${LEAST_MINUTES} und 1.440 Minuten.` }
      : {}),
    ...(draft.kind === 'times' && timesOf(draft.times).length === 0
      ? { times: 'Bitte geben Sie mindestens eine Uhrzeit an.' }
      : {}),
    ...(draft.kind === 'times' && wrong !== undefined ? { times: `„${wrong}“ ist keine Uhrzeit.` } : {}),
  };
}

/** Converts a draft to what is saved. Invalid times are left out: a draft with them is saved only if their field is hidden. */
export const timesOfDraft = ({ address: _address, times, ...draft }: ScheduleDraft): ScheduleTimes => ({
  ...draft,
  times: [...new Set(timesOf(times).filter(isTime))].sort(),
});

/** Returns the address to save; '' keeps the stored one. A half-typed one is left out once its field is hidden. */
export const addressOfDraft = ({ active, address }: ScheduleDraft): string => {
  const typed = address.trim();
  return active || /^https?:$/.test(URL.parse(typed)?.protocol ?? '') ? typed : '';
};

/** Returns the next five starts, ISO; empty if the schedule is invalid or switched off. */
export const previewOf = (draft: ScheduleDraft, now: string): string[] =>
  Object.keys(draftErrors(draft)).length > 0
    ? []
    : nextDues(timesOfDraft(draft), new Date(now), 5).map((due) => due.toISOString());

/** A schedule is merged field by field. */
export const scheduleShape = fieldsShape<ScheduleDraft>({
  labels: {
    active: 'Nach Zeitplan ausführen',
    kind: 'Art des Zeitplans',
    times: 'Uhrzeiten',
    weekdays: 'Wochentage',
    minutes: 'Abstand in Minuten',
    patience: 'Melden nach Stunden ohne Lauf',
    address: 'Adresse der Datei',
  },
  words: (path, value) => {
    if (path === 'kind') return value === 'interval' ? '„In Abständen“' : '„Zu Uhrzeiten“';
    if (path === 'weekdays' && Array.isArray(value))
      return value.map((day) => weekdayNames[Number(day) - 1]).join(', ') || 'keine';
    return undefined;
  },
  withoutSecrets: (state) => ({ ...state, address: '' }),
});
