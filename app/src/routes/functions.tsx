import { FunctionsScreen } from '#features/functions/functions-screen.tsx'

/** The project's edge functions. */
export const Screen = () => <FunctionsScreen />
