// The interface in English: a key and its text.

export default `
language|Language
leave|Leave quickly
trial|A test: nothing sent here counts.
simulated|A demonstration: answers so far are simulated.
early|Stored answers may be read while others answer; direct ones later.
beside|What you write stays beside your answers.

who|Who asks
why|Why
protection|How your answers are protected
changes|Your device may change your answers before it sends them.
storedAs|Of {of} people who would say “{said}”, the site stores about {some} as “{stored}”.
so|So nobody who sees a stored answer can be sure that you gave it.
some|For {count} of your answers:
alone|The other answers, taken alone:
soAlone|Nobody who sees only these stored answers can be sure that you gave one of them.
more|All answers together reveal more than one alone.
together|Say half of a crowd would give your answers, and half other answers. Of {of} people in it with the same stored answers, up to {most} would give your answers. At least {some} would give others.
orMore|{some} or more
picture|{filled} of 10 people
pictured|Each figure: {each} people. Filled: those {some}, rounded down.
ifDisguised|This holds if you let your device disguise your answers. What you answer directly is stored as you give it.
ifMarked|This holds for questions marked “Disguised before sending”. The others are stored as you give them.
learns|Who learns what
learnsAsker|Who asks:
learnsAskerText|the stored answers, without your name. They show how many people gave each answer.
learnsEmployer|Your employer:
learnsEmployerText|nothing from here, unless it runs the survey. Its network or device may show your visit.
learnsThief|Data thieves:
learnsThiefText|the stored answers, without your name.
learnsSite|Who runs this site:
learnsSiteText|the stored answers and your visit. They could change this page, but the correct page is public.
exactly|Exactly
sentence|If someone is {prior} sure that something asked in a disguised question is true of you, the disguised answers cannot make them more than {posterior} sure.
weak|The disguise here is weak: someone could become practically sure of your answers.
override|This is less than this site requires. {by} takes responsibility:
how|How does that work?
manyTell|Many together still show how many people gave each answer.
uncovered|What is not covered?
uncoveredDirect|A direct answer has no such protection. Even choosing it may reveal something.
uncoveredAgain|The figure is for answering once. Answering again reveals more.
drawn|This device chose {asked} of {all} sensitive questions at random.
fingerprint|We cannot check this link. Compare this code with the one in your invitation:
consent|Your consent
once|This invitation works once. After Begin, finish in this browser.
stored|From Begin on, this browser keeps random numbers. After Send it keeps the disguised answers.
storedGiven|Until they arrive, it also keeps those sent as given.
storedTruth|It never keeps the truth behind a disguise.
begin|I agree – begin
second|You have sent answers from here before. This is a second disclosure: someone who could join both could become up to {posterior} sure.
noStorage|Only this page keeps your answers. Please leave it open until they have arrived.

practice|Try the disguise

choice|How do you want to answer?
disguised|Disguise my answers
disguisedHelp|They may change at random before they are sent, as the first page says.
direct|Answer directly
directHelp|Sent as you give them, without a disguise.

page|Page {page} of {pages}
mask|Disguised before sending
open|Sent as given
optional|optional
yes|Yes
no|No
next|Continue
back|Back
missing|Please answer this question.
outside|Please stay within {min} – {max}.

review|Check your answers
reviewNote|Only you see this so far.
change|Change
nothing|no answer
send|Send
sendDisguised|Disguise and send

sending|Sending
waiting|They have not arrived yet. Next try in {seconds} s.
waitingKept|Kept here, disguised or as given, ready to send. You may come back later.
again|Try again

thanks|Thank you
arrived|Your answers have arrived.
sent|What was sent
yours|Perhaps yours, perhaps random: nobody can tell which.
question|Question
value|Sent
receipt|Receipt
receiptText|It lets anyone check that the response is stored.
check|Ask the server
held|The server holds this response.
notHeld|The server does not know this receipt.
another|Erase this: another person answers here

nothingSent|Nothing has been sent.
perhaps|What was sent from here may have arrived.
unreachable|No connection
unloaded|Part of this page could not be loaded: no connection, or the site has been renewed.
`;
