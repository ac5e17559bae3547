package view

import "daftar/internal/locale"

// brandTexts are the texts of the page on which a merchant changes the look of the payment page.
type brandTexts struct {
	Title, Intro, Manage          string
	Names, NameArabic             string
	NameEnglish, NameHint         string // before the application's name
	Logo, LogoHint, Remove        string
	Accent, AccentHint            string
	OnLight, OnDark               string
	Darker, Lighter               string // {colour} has {ratio}
	Black, White                  string
	Contact, ContactHint          string
	Phone, PhoneHint              string
	WhatsApp, WhatsAppHint        string
	Website, WebsiteHint          string
	Address, AddressHint          string
	Save                          string
	Preview, PreviewHint          string
	PreviewArabic, PreviewEnglish string
	NameLong, AccentBad           string
	PhoneBad, WebsiteBad          string
	AddressLong                   string
	LogoHeavy, LogoLarge          string
	LogoSmall, LogoBlank          string
	LogoScans                     string
	LogoFormat, LogoAgain, Broken string
}

func brandTextsIn(say locale.Say) brandTexts {
	return brandTexts{
		Title:  say("مظهر صفحة الدفع", "Branding"),
		Manage: say("غيّر المظهر", "Change the look"),
		Intro: say("كيف يرى الزبائن متجرك في صفحة الدفع والإيصال، وكيف يصلون إليك. كل خانة اختيارية.",
			"How customers see your shop on the payment page and the receipt, and how they reach you. Every "+
				"field is optional."),
		Names:       say("اسم المتجر", "Name of the shop"),
		NameArabic:  say("الاسم بالعربية", "Name in Arabic"),
		NameEnglish: say("الاسم بالإنجليزية", "Name in English"),
		NameHint:    say("إن تُرك فارغًا ظهر اسم التطبيق:", "Left empty, it is the application’s:"),
		Logo:        say("الشعار", "Logo"),
		LogoHint: say("صورة PNG أو JPEG أو WebP، حتى 2 ميغابايت و2500 بكسل طولًا وعرضًا. الأفضل PNG بخلفية "+
			"شفافة. نعيد رسمها ولا نحفظ الملف نفسه.",
			"A picture in PNG, JPEG or WebP, up to 2 MB and 2500 pixels on each side. Best is PNG with a "+
				"transparent ground. We draw it again and do not keep the file."),
		Remove: say("احذف الشعار الحالي", "Remove the present logo"),
		Accent: say("لون المتجر", "Colour of the shop"),
		AccentHint: say("للأزرار والروابط، مثل \u2066#0b5d57\u2069. إن صعبت رؤيته على صفحة فاتحة أو داكنة "+
			"استعملنا درجة أغمق أو أفتح منه. إن تُرك فارغًا بقي لون دفتر.",
			"For buttons and links, such as #0b5d57. Where it is hard to see on a light or a dark page, we use "+
				"a darker or a lighter shade of it. Left empty, it is Daftar’s."),
		OnLight: say("في الصفحات الفاتحة", "On light pages"),
		OnDark:  say("في الصفحات الداكنة", "On dark pages"),
		Darker: say("تباين {colour} مع الصفحة {ratio}، والمطلوب 3:1 على الأقل، فاخترنا درجة أغمق.",
			"{colour} has a contrast of {ratio} to the page, and at least 3:1 is needed, so this is a darker "+
				"shade."),
		Lighter: say("تباين {colour} مع الصفحة {ratio}، والمطلوب 3:1 على الأقل، فاخترنا درجة أفتح.",
			"{colour} has a contrast of {ratio} to the page, and at least 3:1 is needed, so this is a lighter "+
				"shade."),
		Black:   say("نص أسود عليه، تباينه", "black text on it, contrast"),
		White:   say("نص أبيض عليه، تباينه", "white text on it, contrast"),
		Contact: say("التواصل مع المتجر", "Contact"),
		ContactHint: say("يظهر أسفل صفحة الدفع وفي الإيصال.",
			"It stands at the foot of the payment page and on the receipt."),
		Phone: say("هاتف خدمة الزبائن", "Customer service telephone"),
		PhoneHint: say("مثل \u2066021 333 4444\u2069 أو \u2066091 234 5678\u2069",
			"Such as 021 333 4444 or 091 234 5678"),
		WhatsApp: say("رقم واتساب", "WhatsApp number"),
		WhatsAppHint: say("تُكتب للزبون رسالة فيها مرجع الدفعة.",
			"The customer’s message begins with the reference of the payment."),
		Website:     say("موقع المتجر", "Website"),
		WebsiteHint: say("مثل \u2066https://shop.example\u2069", "Such as https://shop.example"),
		Address:     say("عنوان المتجر", "Address of the shop"),
		AddressHint: say("مثل: طرابلس، ميدان الجزائر، بجانب البريد",
			"Such as: Tripoli, Algeria Square, next to the post office"),
		Save:    say("احفظ المظهر", "Save the look"),
		Preview: say("كما يراه الزبائن", "As customers see it"),
		PreviewHint: say("بيانات للعرض فقط، ولا يمكن الدفع هنا. تتبع الألوان المظهر الفاتح أو الداكن في جهازك.",
			"Made-up data; nothing can be paid here. The colours follow the light or dark scheme of your device."),
		PreviewArabic:  say("صفحة الدفع بالعربية", "Payment page in Arabic"),
		PreviewEnglish: say("صفحة الدفع بالإنجليزية", "Payment page in English"),
		NameLong:       say("الاسم أطول من 80 حرفًا.", "The name is longer than 80 characters."),
		AccentBad: say("اكتب اللون بستة أرقام وحروف بعد #، مثل \u2066#0b5d57\u2069.",
			"Write the colour as six digits and letters after #, such as #0b5d57."),
		PhoneBad: say("هذا ليس رقم هاتف. اكتب رقمًا ليبيًا، أو رقمًا دوليًا يبدأ بعلامة +.",
			"This is no telephone number. Write a Libyan one, or an international one that begins with +."),
		WebsiteBad: say("اكتب عنوانًا يبدأ بـ \u2066https://\u2069، بلا اسم مستخدم ولا كلمة مرور.",
			"Write an address that begins with https://, without a user name or a password."),
		AddressLong: say("العنوان أطول من 200 حرف.", "The address is longer than 200 characters."),
		LogoHeavy:   say("ملف الشعار أكبر من 2 ميغابايت.", "The logo’s file is larger than 2 MB."),
		LogoLarge: say("صورة الشعار أكبر من 2500 بكسل طولًا أو عرضًا.",
			"The logo’s picture has more than 2500 pixels on a side."),
		LogoSmall: say("صورة الشعار أصغر من 48 بكسل طولًا أو عرضًا.",
			"The logo’s picture has fewer than 48 pixels on a side."),
		LogoBlank: say("صورة الشعار شفافة كلها.", "The logo’s picture is wholly transparent."),
		LogoScans: say("صورة JPEG هذه محفوظة على مراحل كثيرة جدًا. احفظها من جديد بصيغة PNG أو JPEG عادية.",
			"This JPEG is drawn in too many steps. Save it again as PNG or as an ordinary JPEG."),
		LogoFormat: say("هذا الملف ليس صورة PNG أو JPEG أو WebP كاملة. ملفات SVG غير مقبولة.",
			"This file is no whole picture in PNG, JPEG or WebP. SVG is not accepted."),
		LogoAgain: say("اختر ملف الشعار مرة أخرى، فالمتصفح لا يحفظه.",
			"Choose the logo’s file again: the browser does not keep it."),
		Broken: say("لم يصل النموذج كاملًا. أرسله مرة أخرى.", "The form did not come whole. Send it again."),
	}
}
