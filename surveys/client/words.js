// The interface's words: a key and its text in each language, a line each.

export default {
	en: `
language|Language
leave|Leave quickly
trial|A test: nothing sent here counts.
simulated|A demonstration: answers so far are simulated.
early|Stored answers may be read while others answer; direct ones later.
beside|What you write stays beside your answers.

why|Why is this asked?
forgot|This page was loaded again and has forgotten what you entered. Answers are kept nowhere before Send, so nobody can find them here.
protection|How chance protects you
changes|Your device may change your answers before it sends them.
storedAs|Of {of} people who would say “{said}”, the site stores about {some} as “{stored}”.
so|So nobody who sees a stored answer can be sure that you gave it.
some|For {count} of your answers:
alone|The other answers, taken alone:
soAlone|Nobody who sees only these can be sure that you gave one of them.
more|All answers together reveal more than one alone.
together|Say half of a crowd would give your answers, and half other answers. Take {of} people in it with the same stored answers. Up to {most} would give your answers. At least {some} would give others.
orMore|{some} or more
picture|{filled} of 10 people
pictured|Each figure: {each} people. Filled: those {some}, rounded down.
ifDisguised|This holds if you let your device disguise your answers. What you answer directly is stored as you give it.
ifMarked|This holds for questions marked “Disguised before sending”. The others are stored as you give them.
learns|What could somebody learn about me?
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
manyTell|Many together still show how many people gave each answer.
uncoveredDirect|A direct answer has no such protection. Even choosing it may reveal something.
uncoveredAgain|The figure is for answering once. Answering again reveals more.
drawn|This device chose {asked} of {all} sensitive questions at random.
fingerprint|We cannot check this link. Compare this code with the one in your invitation:
once|This invitation works once. After Begin, finish in this browser.
stored|From Begin on, this browser keeps random numbers. After Send it keeps the disguised answers.
storedGiven|Until they arrive, it also keeps those sent as given.
storedTruth|It never keeps the truth behind a disguise.
begin|I agree – begin
second|You have sent answers from here before. This is a second disclosure. Someone who could join both could become up to {posterior} sure.
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
unloaded|Part of this page could not be loaded. There is no connection, or the site has been renewed.
`,
	'zh-hans': `
language|语言
leave|快速离开
trial|测试：不计入结果。
simulated|演示：目前的回答均为模拟。
early|在他人仍在作答时，所存的回答就可被查看；直接回答要等到结束以后。
beside|您所写的内容与您的其他回答放在一起。

why|为什么提问？
forgot|此页面已重新加载，您填写的内容没有保留。“发送”之前，回答不会保存在任何地方，因此无人能在这里找到它们。
protection|随机怎样保护您
changes|您的设备在发送前可能会改变您的回答。
storedAs|在 {of} 个会回答“{said}”的人中，约有 {some} 人会被存为“{stored}”。
so|因此，看到所存回答的人都无法确定那是您的回答。
some|您的回答中有 {count} 个：
alone|仅看其他回答：
soAlone|只看到这些所存回答的人，都无法确定其中哪个是您的回答。
more|所有回答合在一起比单个回答透露得更多。
together|假设一群人中一半会像您这样回答，另一半会作其他回答。其中 {of} 个所存回答相同的人里，至多 {most} 人会像您这样回答，至少 {some} 人会作其他回答。
orMore|{some} 或更多
picture|10 人中的 {filled} 人
pictured|每个图形代表 {each} 人；实心的代表上述 {some} 人，向下取整。
ifDisguised|这适用于您让设备伪装回答的情况。直接作出的回答将按原样存储。
ifMarked|这适用于标有“发送前伪装”的问题。其余回答按原样存储。
learns|别人能从中得知我的什么？
learnsAsker|提问者：
learnsAskerText|所存的回答，不含您的姓名；由此得知有多少人怎样回答。
learnsEmployer|您的雇主：
learnsEmployerText|若不是提问者，从这里得不到任何信息。其网络或设备可能显示您来过。
learnsThief|窃取数据的人：
learnsThiefText|所存的回答，不含您的姓名。
learnsSite|网站运营者：
learnsSiteText|所存的回答，以及您的设备来过。他们有可能更改本页面；正确的内容是公开的。
exactly|精确地说
sentence|如果有人认为伪装问题所问之事有 {prior} 的可能符合您，那么无论伪装后的回答是什么，他凭这些回答的把握都不会超过 {posterior}。
weak|此处的伪装很弱：别人几乎可以确定您的回答。
override|这低于本网站的要求。{by} 对此负责：
manyTell|从许多人的回答合起来，仍能推算出有多少人怎样回答。
uncoveredDirect|直接回答没有这种保护；选择它本身也可能透露信息。
uncoveredAgain|此数字适用于回答一次，多答则多透露。
drawn|此设备从 {all} 个敏感问题中随机抽取了 {asked} 个。
fingerprint|我们无法校验此链接。请将此指纹与邀请中的指纹核对：
once|此邀请只能用一次。开始后，请在此浏览器中完成。
stored|从“开始”起，此浏览器保存随机数；“发送”后保存伪装后的回答。
storedGiven|送达前还保存按原样发送的回答。
storedTruth|绝不保存伪装背后的真实回答。
begin|我同意，开始
second|您曾从这里发送过回答。这是第二次披露：把两者相联系的人，把握最多可达 {posterior}。
noStorage|只有此页面保存着您的回答，送达前请勿关闭。

practice|试试伪装

choice|您想怎样回答？
disguised|伪装我的回答
disguisedHelp|发送前可能随机改变，如首页所述。
direct|直接回答
directHelp|按您所填发送，不加伪装。

page|第 {page} 页，共 {pages} 页
mask|发送前伪装
open|按原样发送
optional|可不填
yes|是
no|否
next|继续
back|返回
missing|请回答此问题。
outside|请填写 {min} – {max} 之间的值。

review|检查您的回答
reviewNote|目前只有您能看到。
change|更改
nothing|未回答
send|发送
sendDisguised|伪装并发送

sending|正在发送
waiting|尚未送达。{seconds} 秒后重试。
waitingKept|已保存在此处：伪装不再改变，其余按原样。您可以以后再来。
again|重试

thanks|谢谢您
arrived|您的回答已送达。
sent|已发送的内容
yours|也许是您的回答，也许是随机的结果：谁都无法分辨。
question|问题
value|已发送
receipt|回执
receiptText|任何人凭此都可查询回答是否已存储。
check|向服务器查询
held|服务器存有此回答。
notHeld|服务器没有此回执。
another|清除：由另一个人在此回答

nothingSent|没有发送任何内容。
perhaps|从此处发送的内容可能已送达。
unreachable|没有连接
unloaded|此页面的一部分无法加载：没有连接，或者网站已更新。
`,
};
