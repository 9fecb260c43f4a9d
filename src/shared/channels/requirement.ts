/** How much a channel wants a field; label and colours as GEN-09. `''` stands for "keine Angaben". The tabbed construction shows the names. */
export const requirements = {
  Required: { label: 'Pflicht', color: 'red' },
  Recommended: { label: 'Empfohlen', color: 'green' },
  Optional: { label: 'Optional', color: 'yellow' },
  '': { label: 'keine Angaben', color: 'gray' },
} as const;
export type Requirement = keyof typeof requirements;
export const requirementNames = ['Required', 'Recommended', 'Optional', ''] as const satisfies readonly Requirement[];
