import { useQuery } from '@tanstack/react-query'
import { descriptionQuery } from '#features/data/description/description-query.ts'
import { useSource } from '#features/data/source.ts'

/** What is known of the project's schema: a query like any other, shared by all who ask. */
export const useKnowledge = () => useQuery(descriptionQuery(useSource()))
