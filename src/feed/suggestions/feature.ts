import type { Feature } from '#platform/feature.ts';
import { suggestionRoutes } from './routes.ts';
import { sourceSuggestionRoutes, type SourceSuggestionDeps } from './source-suggestion-routes.ts';

/** Suggested targets of values and sources of fields. */
export const suggestions: Feature<SourceSuggestionDeps> = {
  name: 'suggestions',
  routes: (app, deps) => {
    suggestionRoutes(app, deps);
    sourceSuggestionRoutes(app, deps);
  },
};
